import type { BackgroundWork } from '../../kernel/background-errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Failure } from '../retrier.js';

/** The event types of a page, or those that a consumer handles. */
export type EventTypes = ReadonlySet<string>;

/** Consumes the log: a projection or a reactor. */
export interface EventConsumer {
  readonly name: string;
  /** Names the consumer in reports of its errors. */
  readonly work: BackgroundWork;
  /** Failure of internal work that is being retried now. */
  readonly failing: Failure | null;
  /**
   * Number of events that may be in flight when the next page is dispatched; one page at a time by default. A consumer
   * with a value here keeps the required order itself.
   */
  readonly maxInFlight?: number;
  /** For this time pages are collected and then handled together, unless a read waits for the consumer. */
  readonly collectMs?: number;
  /**
   * Resolves when all events are applied, so that the checkpoint may move: true when the consumer handled any of them.
   * A call that throws is retried without limit with the same events; after a crash the consumer receives the events
   * again.
   */
  handle(events: readonly RecordedEvent[], signal: AbortSignal): Promise<boolean>;
  /** Returns whether `handle` would do nothing with a page of these event types. */
  ignores(types: EventTypes): boolean;
  /** Reloads the state that the consumer needs beside the log. */
  refresh?(): Promise<void>;
}

export function haveNoneInCommon(some: EventTypes, others: EventTypes): boolean {
  for (const type of some) if (others.has(type)) return false;
  return true;
}
