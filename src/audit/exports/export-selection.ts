import type { RecordedEvent } from '../../kernel/event.js';
import type { ExportRequest } from '../domain/audit-export.js';
import { nameResource } from '../domain/resource-namings.js';

/** Returns whether an export contains the event, and not only its leaf. */
export function selectsEvent(request: ExportRequest, event: RecordedEvent): boolean {
  const { meta, type } = event;
  const { mode, recordedFrom, recordedTo, types, resource } = request;
  return (
    meta.mode === mode &&
    (recordedFrom === null || meta.at >= recordedFrom) &&
    (recordedTo === null || meta.at <= recordedTo) &&
    (types.length === 0 || types.includes(type)) &&
    (resource === null || nameResource(event).id === resource)
  );
}
