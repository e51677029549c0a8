import { OWNER, type Owned } from '../../kernel/ownership.js';
import type { Changes, EventOf, Projection } from '../../kernel/projection.js';
import type { PublicEventFact } from '../domain/public-event.js';

/** Its data are in its own stream, where they never change. */
export interface PublicEventDocument extends Owned {
  readonly id: string;
  readonly object: 'event';
  readonly type: string;
  readonly version: string;
  readonly occurred_at: string;
}

/** What was told outside, whether anybody listened or not. */
export const publicEvents: Projection<PublicEventDocument> = {
  name: 'publicEvents',
  version: 1,
  id: ({ data }: EventOf<PublicEventFact, 'PublicEventRecorded'>) => data.eventId,
  indexes: [
    [...OWNER, 'occurred_at'],
    [...OWNER, 'type', 'occurred_at'],
  ],
  on: {
    PublicEventRecorded: (_, { data }: EventOf<PublicEventFact, 'PublicEventRecorded'>) => ({
      id: data.eventId,
      object: 'event',
      type: data.type,
      version: data.version,
      occurred_at: data.occurredAt,
      _business: data.businessId,
      _mode: data.mode,
    }),
  } satisfies Changes<PublicEventDocument, PublicEventFact>,
};
