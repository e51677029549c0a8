import { auditAuditedStreams } from './audit/audited-streams.js';
import { commerceAuditedStreams } from './commerce/audited-streams.js';
import { communityAuditedStreams } from './community/audited-streams.js';
import { projectionSkipsDecider } from './engine/projections/skips.js';
import { identityAuditedStreams } from './identity/audited-streams.js';
import { type AuditedStream, auditStream, createAuditedResource } from './kernel/audited-stream.js';
import { webhooksAuditedStreams } from './webhooks/audited-streams.js';

/** The streams of all areas, with the resource of each event. Every decider of the service is here. */
export const AUDITED_STREAMS: readonly AuditedStream[] = [
  ...identityAuditedStreams,
  ...webhooksAuditedStreams,
  ...communityAuditedStreams,
  ...commerceAuditedStreams,
  ...auditAuditedStreams,
  auditStream(projectionSkipsDecider, createAuditedResource('projection')),
];
