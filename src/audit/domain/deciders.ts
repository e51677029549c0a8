import { auditReadDecider } from './audit-read.js';

/** The deciders of the area. */
export const auditDeciders = [auditReadDecider] as const;
