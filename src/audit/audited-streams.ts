import type { AuditedStream } from '../kernel/audited-stream.js';

export const auditAuditedStreams: readonly AuditedStream[] = [];
