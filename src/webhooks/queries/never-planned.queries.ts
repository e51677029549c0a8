import { toOwnerFilter } from '../../kernel/ownership.js';
import type { KnownEndpoint } from '../domain/endpoint.js';
import type { ReplayWindow } from '../domain/replay-job.js';
import { expandEventTypes } from '../event-catalogue.js';

/** Returns the filter of the public events in the window that the endpoint subscribes to now. */
export function toEventFilter({ createdFrom, createdTo, eventTypes }: ReplayWindow, endpoint: KnownEndpoint) {
  return {
    ...toOwnerFilter(endpoint),
    type: { in: listSelectedTypes(eventTypes, endpoint) },
    occurred_at: { from: createdFrom, to: createdTo },
  };
}

function listSelectedTypes(eventTypes: readonly string[], { settings }: KnownEndpoint): readonly string[] {
  const subscribed = expandEventTypes(settings.eventTypes);
  if (eventTypes.length === 0) return subscribed;
  const asked = new Set(expandEventTypes(eventTypes));
  return subscribed.filter((type) => asked.has(type));
}
