import type { Decider } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';

/** What the outside may hear of a business fact: recorded once, and frozen from then on. */
export interface PublicEvent {
  readonly eventId: string;
  readonly type: string;
  readonly version: string;
  /** The time at which the service recorded the fact behind it. */
  readonly occurredAt: string;
  readonly businessId: string;
  readonly mode: Mode;
  /** The resource as the API answered it at that moment; personal fields sealed. */
  readonly data: object;
}

export type PublicEventFact = Fact<'PublicEventRecorded', PublicEvent>;

type RecordedPublicEvent = { readonly status: 'unknown' } | { readonly status: 'recorded'; readonly event: PublicEvent };

type PublicEventCommand = { readonly type: 'RecordPublicEvent'; readonly event: PublicEvent };

export const publicEvent: Decider<RecordedPublicEvent, PublicEventCommand, PublicEventFact> = {
  category: 'publicEvent',
  versions: { PublicEventRecorded: 1 },
  initial: { status: 'unknown' },
  evolve: (_, { data }) => ({ status: 'recorded', event: data }),
  decide: ({ event }, { status }) => (status === 'unknown' ? [{ type: 'PublicEventRecorded', data: event }] : []),
};

/** The same fact and type make the same public event. */
export function publicEventIdOf(recordedAt: string, factId: string, type: string): string {
  return idOf('evt', Date.parse(recordedAt), factId, type);
}
