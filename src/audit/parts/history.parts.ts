import type { NounParts } from '../../engine/area-parts.js';
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
export const historyParts: NounParts = {
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
  projections: [auditEvents],
};
