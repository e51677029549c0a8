import type { RecordedEvent } from '../../kernel/event.js';
import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import { changeForEach, type Projection } from '../../kernel/projection.js';
import {
  type KindChange,
  listTimerChanges,
  TIMER_EVENT_TYPES,
  type TimerEvent,
  type TimerKind,
} from './timer-changes.js';

/** A started timer, with the event that caused it. */
export interface Timer extends Owned {
  readonly kind: TimerKind;
  readonly nounId: string;
  readonly due: string;
  readonly eventId: string;
  readonly correlationId: string;
  readonly requestId: string | null;
}

export function listStartedTimers(event: RecordedEvent): readonly Timer[] {
  return listTimerChanges(event).flatMap((change) => toTimer(change, event) ?? []);
}

export interface TimerDocument extends Timer {
  readonly id: string;
}

/** The timers of test mode, so that setting a test clock finds those that fall due. In live mode, a timer is only a job. */
export const timers: Projection<TimerDocument, TimerEvent> = {
  name: 'timers',
  version: 7,
  id: (event) => (event.meta.mode === 'live' ? null : listTimerChanges(event).map(toTimerId)),
  indexes: [[...OWNER_INDEX, 'due']],
  on: changeForEach(TIMER_EVENT_TYPES, applyChange),
};

function applyChange(_: TimerDocument | null, event: RecordedEvent, id: string): TimerDocument | null {
  const timer = toTimer(
    listTimerChanges(event).find((change) => toTimerId(change) === id)!,
    event,
  );
  return timer && { ...timer, id };
}

function toTimer({ kind, id: nounId, due }: KindChange, { id: eventId, meta }: RecordedEvent): Timer | null {
  const { correlationId, requestId, business, mode } = meta;
  return due === null
    ? null
    : { kind, nounId, due, eventId, correlationId, requestId, _business: business!, _mode: mode };
}

function toTimerId({ kind, id }: KindChange): string {
  return `${kind}:${id}`;
}
