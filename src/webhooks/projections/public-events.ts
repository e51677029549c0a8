import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import type { Position } from '../../kernel/position.js';
import { pickId, type Projection } from '../../kernel/projection.js';
import {
  dateTime,
  type DocumentOf,
  enumOf,
  example,
  freeForm,
  id,
  integer,
  resource,
  string,
} from '../../kernel/schema.js';
import { findResource, type PublicEventFact } from '../domain/public-event.js';

export const publicEventSchema = resource('PublicEvent', {
  id: id('evt'),
  object: enumOf('event'),
  type: example('cart.order.completed'),
  version: string,
  occurred_at: dateTime,
  sequence: integer,
  data: freeForm,
});

/** A public event with its recorded data. */
export type PublicEventView = DocumentOf<typeof publicEventSchema>;

/** A public event without its data and sequence, which stay in the stream of the event and never change. */
export interface PublicEventDocument extends Omit<PublicEventView, 'data' | 'sequence'>, Owned {
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
