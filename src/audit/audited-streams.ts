import { type AuditedStream, auditStream, createAuditedResource } from '../kernel/audited-stream.js';
import { auditChainDecider } from './domain/audit-chain.js';
import { auditExportDecider } from './domain/audit-export.js';
import { auditReadDecider } from './domain/audit-read.js';
import { auditExports } from './projections/audit-exports.js';

export const auditAuditedStreams: readonly AuditedStream[] = [
  auditStream(auditReadDecider, createAuditedResource('audit_read')),
  auditStream(auditChainDecider, createAuditedResource('audit_chain')),
  auditStream(auditExportDecider, createAuditedResource('audit_export', auditExports)),
];
