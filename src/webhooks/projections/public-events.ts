import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import type { Position } from '../../kernel/position.js';
import { pickId, type Projection } from '../../kernel/projection.js';
import { eventChanges } from '../../kernel/public-event-definition.js';
import {
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  freeForm,
  id,
  integer,
  KIND,
  resource,
  string,
} from '../../kernel/schema.js';
import { findResource, type PublicEventFact } from '../domain/public-event.js';

export const publicEventSchema = resource('PublicEvent', {
  id: describe(id('evt'), 'The id of the event, the same in all of its deliveries.'),
  object: describe(enumOf('event'), KIND),
  type: describe(string, 'The type of the event, from the list of event types.', 'cart.order.completed'),
  version: describe(string, 'The version of the schema of `data`.', '1'),
  occurred_at: describe(dateTime, 'The time at which the service recorded the event.'),
  sequence: describe(
    integer,
    'The number of the event in the history of its resource, from 1; the greater one is the later state. It is 0 for an old event without a number.',
  ),
  data: describe(freeForm, 'The resource as it was after the event, in the form of the schema of the type.'),
  changes: eventChanges,
});

/** A public event with its recorded data. */
export type PublicEventView = DocumentOf<typeof publicEventSchema>;

/** A public event without what stays in the stream of the event and never changes. */
export interface PublicEventDocument extends Omit<PublicEventView, 'data' | 'sequence' | 'changes'>, Owned {
  /** The id of the resource in the data of the event. */
  readonly _resource: string | null;
  /** The place of the event in the log. Streams of events have this order. */
  readonly _position: Position;
}

/** All public events, including those without a receiver. A stream of events depends on it to miss none. */
export const publicEvents: Projection<PublicEventDocument, PublicEventFact> = {
  name: 'publicEvents',
  version: 3,
  stopOnPoison: true,
  insertOnly: true,
  id: pickId('eventId'),
  indexes: [
    [...OWNER_INDEX, 'occurred_at'],
    [...OWNER_INDEX, 'type', 'occurred_at'],
    [...OWNER_INDEX, '_resource', 'occurred_at'],
    [...OWNER_INDEX, '_position'],
  ],
  on: {
    PublicEventRecorded: (_, { data, position }) => ({
      id: data.eventId,
      object: 'event',
      type: data.type,
      version: data.version,
      occurred_at: data.occurredAt,
      _resource: findResource(data),
      _position: position,
      _business: data.businessId,
      _mode: data.mode,
    }),
  },
};
