import type { RecordedEvent } from '../../kernel/event.js';
import { type EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import { type Position, START } from '../../kernel/position.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { describeError } from '../retrier.js';
import { PoisonEvent } from './apply-event.js';
import {
  createFailure,
  type DeadLetter,
  failureIdOf,
  shortenRange,
  sortByPosition,
  toFirstPlace,
} from './dead-letter.js';
import { DeadLetterEvents, UnreadableDeadLetter, type WaitingEvent } from './dead-letter-events.js';
import { removeDeadLetters, storeFailure, updateDeadLetter } from './dead-letters.js';

interface BlockRetryTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
}

/** One retry of the dead letters of a document or a stream. */
export class BlockRetry {
  private readonly events: DeadLetterEvents;
  private readonly readModels: ReadModels;
  /** Number of events that the ranges hold no more, by dead letter. */
  private readonly passed = new Map<DeadLetter, number>();
  private lastPosition: Position = START;
  private current: WaitingEvent | null = null;
  private error: unknown = null;

  constructor(
    private readonly deadLetters: readonly DeadLetter[],
    { store, readModels }: BlockRetryTools,
  ) {
    this.events = new DeadLetterEvents(deadLetters, store);
    this.readModels = readModels;
  }

  /** Position of the last event that has not failed. */
  get reached(): Position {
    return this.lastPosition;
  }

  /**
   * Passes the events after the position to `fold`, in log order, until one fails.
   * @param fold returns whether the event concerns the document
   */
  async foldAfter(position: Position, fold: (event: RecordedEvent) => boolean): Promise<void> {
    this.lastPosition = position;
    this.error = await captureFailure(async () => {
      for await (const waiting of this.events.readAfter(position)) {
        this.current = waiting;
        if (fold(waiting.event)) this.countPassed(waiting.deadLetter);
        this.current = null;
        this.lastPosition = waiting.event.position;
      }
    });
  }

  /**
   * Removes the dead letters of folded events. A failed event gets a dead letter of its own, before the range that
   * contained the event is shortened.
   */
  async settle(): Promise<void> {
    if (this.error === null) return removeDeadLetters(this.readModels, this.deadLetters);
    const blocking = await this.block();
    await this.removeUpTo(this.current?.event.position ?? this.lastPosition, blocking);
  }

  /**
   * Removes the dead letters up to the position, and shortens the ranges that continue after it.
   * @param kept id of the dead letter that does not change
   * @returns the remaining dead letters
   */
  async removeUpTo(position: Position, kept?: string): Promise<DeadLetter[]> {
    const others = this.deadLetters.filter(({ id }) => id !== kept);
    await removeDeadLetters(
      this.readModels,
      others.filter(({ to_position }) => to_position <= position),
    );
    const remaining: DeadLetter[] = [];
    for (const deadLetter of others.filter(({ to_position }) => to_position > position)) {
      const isPartly = deadLetter.position <= position;
      const rest = isPartly ? await this.shorten(deadLetter, position) : deadLetter;
      if (rest !== null) remaining.push(rest);
    }
    return sortByPosition(remaining);
  }

  /** Returns the id of the dead letter that blocks now. */
  private async block(): Promise<string> {
    if (this.error instanceof UnreadableDeadLetter) return this.blockUnreadable(this.error);
    if (this.current === null) throw this.error;
    const { event, deadLetter } = this.current;
    this.countPassed(deadLetter);
    await blockAt(this.readModels, deadLetter, this.error, event);
    return failureIdOf(deadLetter, event);
  }

  /** The place of the unreadable event is unknown, so the whole range blocks. */
  private async blockUnreadable({ deadLetter, cause }: UnreadableDeadLetter): Promise<string> {
    const error = describeError(cause);
    await updateDeadLetter(this.readModels, { ...deadLetter, error, blocking: true, retry: false });
    return deadLetter.id;
  }

  private async shorten(range: DeadLetter, position: Position): Promise<DeadLetter | null> {
    let rest: DeadLetter | null = null;
    const failure = await captureFailure(async () => {
      const next = await this.events.readNext(range, position);
      if (next !== null) rest = shortenRange(range, next, this.passed.get(range) ?? 0);
    });
    if (failure instanceof UnreadableDeadLetter) await this.blockUnreadable(failure);
    else if (rest === null) await removeDeadLetters(this.readModels, [range]);
    else await updateDeadLetter(this.readModels, rest);
    return rest;
  }

  private countPassed(deadLetter: DeadLetter): void {
    this.passed.set(deadLetter, (this.passed.get(deadLetter) ?? 0) + 1);
  }
}

/** Stores the dead letter of an event that failed, by default of the first event of the dead letter. */
export function blockAt(
  readModels: ReadModels,
  deadLetter: DeadLetter,
  error: unknown,
  event = toFirstPlace(deadLetter),
): Promise<void> {
  const cause = error instanceof PoisonEvent ? error.cause : error;
  return storeFailure(readModels, createFailure(deadLetter, event, cause, deadLetter.created_at), deadLetter);
}

/** Returns the error of the work, or null. An unavailable store is not an error of the event. */
export async function captureFailure(work: () => Promise<void>): Promise<unknown> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    return error;
  }
}
