import type { NounParts } from '../../engine/area-parts.js';
import { AuditEventsController } from '../http/audit-events.controller.js';
import { auditEvents } from '../projections/audit-events.js';
import { ListAuditEventsHandler } from '../queries/audit-event.queries.js';

/** The entries of the change history. */
export const historyParts: NounParts = {
  controllers: [AuditEventsController],
  providers: [ListAuditEventsHandler],
  projections: [auditEvents],
};
