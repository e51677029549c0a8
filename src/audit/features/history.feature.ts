import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource } from '../../kernel/audited-stream.js';
import { auditReadDecider } from '../domain/audit-read.js';
import { AuditIndex } from '../history/audit-index.js';
import { AuditReads } from '../history/audit-reads.js';
import { AuditWalks } from '../history/audit-walks.js';
import { RecordedRange } from '../history/recorded-range.js';
import { ResourceBaselines } from '../history/resource-baselines.js';
import { Timelines } from '../history/timelines.js';
import { AuditCorrelationsController } from '../http/audit-correlations.controller.js';
import { AuditEventsController } from '../http/audit-events.controller.js';
import { AuditResourcesController } from '../http/audit-resources.controller.js';
import { auditEvents } from '../projections/audit-events.js';
import { ListAuditEventsHandler, RetrieveAuditEventHandler } from '../queries/audit-event.queries.js';
import { ListResourceHistoryHandler, RetrieveAuditedResourceHandler } from '../queries/audit-resource.queries.js';
import { RetrieveCorrelationHandler } from '../queries/correlation.queries.js';

/** The entries of the change history. */
export const historyFeature: Feature = {
  streams: [auditStream(auditReadDecider, createAuditedResource('audit_read'))],
  projections: [auditEvents],
  controllers: [AuditEventsController, AuditResourcesController, AuditCorrelationsController],
  providers: [
    AuditIndex,
    AuditReads,
    AuditWalks,
    RecordedRange,
    ResourceBaselines,
    Timelines,
    ListAuditEventsHandler,
    RetrieveAuditEventHandler,
    RetrieveAuditedResourceHandler,
    ListResourceHistoryHandler,
    RetrieveCorrelationHandler,
  ],
};
