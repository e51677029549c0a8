import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import type { Changes, EventOf, Projection } from '../../kernel/projection.js';
import type { PublicEventFact } from '../domain/public-event.js';

/** A public event without its data, which stay in the stream of the event and never change. */
export interface PublicEventDocument extends Owned {
  readonly id: string;
  readonly object: 'event';
  readonly type: string;
  readonly version: string;
  readonly occurred_at: string;
  /** The id of the resource in the data of the event. */
  readonly _resource: string | null;
}

/** All public events, including those without a receiver. */
export const publicEvents: Projection<PublicEventDocument> = {
  name: 'publicEvents',
  version: 2,
  id: ({ data }: EventOf<PublicEventFact, 'PublicEventRecorded'>) => data.eventId,
  indexes: [
    [...OWNER_INDEX, 'occurred_at'],
    [...OWNER_INDEX, 'type', 'occurred_at'],
    [...OWNER_INDEX, '_resource', 'occurred_at'],
  ],
  on: {
    PublicEventRecorded: (_, { data }: EventOf<PublicEventFact, 'PublicEventRecorded'>) => ({
      id: data.eventId,
      object: 'event',
      type: data.type,
      version: data.version,
      occurred_at: data.occurredAt,
      _resource: (data.data as { readonly id?: string }).id ?? null,
      _business: data.businessId,
      _mode: data.mode,
    }),
  } satisfies Changes<PublicEventDocument, PublicEventFact>,
};
