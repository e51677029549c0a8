import type { Decider } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import type { FieldChanges } from '../../kernel/field-changes.js';
import { idOf } from '../../kernel/ids.js';

/** The public part of a business fact. It is recorded once and never changes. */
export interface PublicEvent {
  readonly eventId: string;
  readonly type: string;
  readonly version: string;
  /** The time at which the service recorded the fact. */
  readonly occurredAt: string;
  /**
   * The number of the fact in the history of its resource, from 1: of two events about one resource, the greater one is
   * the later state. 0 in events that were recorded before this number existed.
   */
  readonly sequence: number;
  readonly businessId: string;
  readonly mode: Mode;
  /** The API resource at that time, with encrypted personal fields. */
  readonly data: object;
  /** Null for an event that means no change, and for one of an older version. */
  readonly changes: FieldChanges | null;
}

export type PublicEventFact = Fact<'PublicEventRecorded', PublicEvent>;

type RecordedPublicEvent =
  { readonly status: 'unknown' } | { readonly status: 'recorded'; readonly event: PublicEvent };

type PublicEventCommand = { readonly type: 'RecordPublicEvent'; readonly event: PublicEvent };

export const publicEventDecider: Decider<RecordedPublicEvent, PublicEventCommand, PublicEventFact> = {
  category: 'publicEvent',
  versions: { PublicEventRecorded: 3 },
  initial: { status: 'unknown' },
  evolve: (_, { data }) => ({ status: 'recorded', event: data }),
  decide: ({ event }, { status }) => (status === 'unknown' ? [{ type: 'PublicEventRecorded', data: event }] : []),
};

/** Derives the id. The same fact and type always have the same public event. */
export function publicEventIdOf(recordedAt: string, factId: string, type: string): string {
  return idOf('evt', Date.parse(recordedAt), factId, type);
}

/** Returns the id of the resource in the data, by which events are filtered. */
export function findResource({ data }: PublicEvent): string | null {
  return (data as { readonly id?: string }).id ?? null;
}
