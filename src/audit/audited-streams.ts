import { type AuditedStream, auditStream, createAuditedResource } from '../kernel/audited-stream.js';
import { auditReadDecider } from './domain/audit-read.js';

export const auditAuditedStreams: readonly AuditedStream[] = [
  auditStream(auditReadDecider, createAuditedResource('audit_read')),
];
