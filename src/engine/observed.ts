import type { Clock } from '../kernel/clock.js';
import type { NewEvent, Recorded } from '../kernel/event.js';
import {
  Conflict,
  EventStore,
  type Appended,
  type Expected,
  type FollowOptions,
  type Page,
  type ReadAllOptions,
  type ReadStreamOptions,
} from '../kernel/event-store.js';
import { Idempotency, type Begun, type Claim, type IdempotencyKey, type KeptClaim, type StoredAnswer } from '../kernel/idempotency.js';
import type { Position } from '../kernel/position.js';

/** Receives measurements of the store calls of this process. Implementations must not throw. */
export abstract class Observer {
  /** @param ms time from the call to the acknowledgement */
  abstract appended(events: readonly NewEvent[], ms: number): void;
  abstract conflicted(): void;
  abstract began(status: Begun['status']): void;
}

class ObservedEventStore extends EventStore {
  constructor(
    private readonly store: EventStore,
    private readonly observer: Observer,
    private readonly clock: Clock,
  ) {
    super();
  }

  async append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<Appended> {
    const began = this.clock.monotonic();
    try {
      const appended = await this.store.append(stream, expected, events);
      this.observer.appended(events, this.clock.monotonic() - began);
      return appended;
    } catch (error) {
      if (error instanceof Conflict) this.observer.conflicted();
      throw error;
    }
  }

  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<Recorded> {
    return this.store.readStream(stream, options);
  }

  readAll(options: ReadAllOptions): Promise<Page> {
    return this.store.readAll(options);
  }

  follow(options: FollowOptions, signal: AbortSignal): AsyncIterable<Page> {
    return this.store.follow(options, signal);
  }

  head(): Promise<Position> {
    return this.store.head();
  }

  confirmed(): Promise<Position> {
    return this.store.confirmed();
  }
}

class ObservedIdempotency extends Idempotency {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly observer: Observer,
  ) {
    super();
  }

  async begin(key: IdempotencyKey, claim: Claim): Promise<Begun> {
    const begun = await this.idempotency.begin(key, claim);
    this.observer.began(begun.status);
    return begun;
  }

  finish(key: IdempotencyKey, commandId: string, answer: StoredAnswer): Promise<StoredAnswer> {
    return this.idempotency.finish(key, commandId, answer);
  }

  forget(key: IdempotencyKey, commandId: string, run: number): Promise<void> {
    return this.idempotency.forget(key, commandId, run);
  }

  abandon(key: IdempotencyKey, commandId: string, run: number): Promise<void> {
    return this.idempotency.abandon(key, commandId, run);
  }

  claims(after: IdempotencyKey | null, limit: number): Promise<KeptClaim[]> {
    return this.idempotency.claims(after, limit);
  }

  restore(claims: readonly KeptClaim[]): Promise<void> {
    return this.idempotency.restore(claims);
  }
}

/** Returns the store itself when there are no metrics. */
export function observed(store: EventStore, observer: Observer | undefined, clock: Clock): EventStore {
  return observer === undefined ? store : new ObservedEventStore(store, observer, clock);
}

export function observedIdempotency(idempotency: Idempotency, observer: Observer | undefined): Idempotency {
  return observer === undefined ? idempotency : new ObservedIdempotency(idempotency, observer);
}
