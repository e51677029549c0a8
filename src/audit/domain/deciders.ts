import { auditChainDecider } from './audit-chain.js';
import { auditExportDecider } from './audit-export.js';
import { auditReadDecider } from './audit-read.js';

/** The deciders of the area. */
export const auditDeciders = [auditReadDecider, auditChainDecider, auditExportDecider] as const;
