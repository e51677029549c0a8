import { type ResourceNaming, toResourceReference } from '../../kernel/audited-stream.js';
import { derive } from '../../kernel/declarations.js';
import { type Fact, type RecordedEvent, typesOf } from '../../kernel/event.js';
import type { Reference } from '../../kernel/reference.js';

/** The naming of each event type, sorted by type. */
const deriveNamings = derive(({ streams }): Readonly<Record<string, ResourceNaming>> => {
  const namings = streams.flatMap((stream) => Object.entries(stream.namings));
  return Object.fromEntries(namings.sort(([one], [other]) => (one < other ? -1 : 1)));
});

/** Lists the event types of the service: `auditStream` names the resource of every event of a decider. */
export const listAuditedTypes = derive(() => typesOf<Fact>(deriveNamings()));

/** Names the resource of an event. */
export function nameResource(event: RecordedEvent): Reference {
  return toResourceReference(deriveNamings()[event.type]!, event);
}
