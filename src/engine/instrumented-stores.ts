import type { Clock } from '../kernel/clock.js';
import { extractCategory } from '../kernel/decider.js';
import type { NewEvent, RecordedEvent } from '../kernel/event.js';
import {
  type AppendResult,
  Conflict,
  type EventPage,
  EventStore,
  type ExpectedRevision,
  type FollowOptions,
  type ReadAllOptions,
  type ReadStreamOptions,
} from '../kernel/event-store.js';
import {
  type ClaimRequest,
  type ClaimResult,
  Idempotency,
  type IdempotencyKey,
  type StoredClaim,
  type StoredResponse,
} from '../kernel/idempotency.js';
import type { Position } from '../kernel/position.js';
import { recordTraced, type TracedWork } from '../kernel/tracing.js';

/** Receives measurements of the store calls of this process. Implementations must not throw. */
export abstract class StoreMetrics {
  /** @param ms time from the call to the acknowledgement */
  abstract onAppended(events: readonly NewEvent[], ms: number): void;
  abstract onConflict(): void;
  abstract onClaim(status: ClaimResult['status']): void;
}

class InstrumentedEventStore extends EventStore {
  constructor(
    private readonly store: EventStore,
    private readonly metrics: StoreMetrics,
    private readonly clock: Clock,
  ) {
    super();
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    const began = this.clock.monotonic();
    try {
      const appended = await this.store.append(stream, expected, events);
      const ms = this.clock.monotonic() - began;
      this.metrics.onAppended(events, ms);
      recordTraced(() => events.map((event) => describeAppend(event, stream)), ms);
      return appended;
    } catch (error) {
      if (error instanceof Conflict) this.metrics.onConflict();
      throw error;
    }
  }

  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent> {
    return this.store.readStream(stream, options);
  }

  override isLastRevision(stream: string, revision: number): boolean {
    return this.store.isLastRevision(stream, revision);
  }

  readAll(options: ReadAllOptions): Promise<EventPage> {
    return this.store.readAll(options);
  }

  follow(options: FollowOptions, signal: AbortSignal): AsyncIterable<EventPage> {
    return this.store.follow(options, signal);
  }

  readHead(): Promise<Position> {
    return this.store.readHead();
  }

  confirmPosition(): Promise<Position> {
    return this.store.confirmPosition();
  }
}

class InstrumentedIdempotency extends Idempotency {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly metrics: StoreMetrics,
  ) {
    super();
  }

  async claim(key: IdempotencyKey, claim: ClaimRequest): Promise<ClaimResult> {
    const result = await this.idempotency.claim(key, claim);
    this.metrics.onClaim(result.status);
    return result;
  }

  complete(key: IdempotencyKey, commandId: string, answer: StoredResponse): Promise<StoredResponse> {
    return this.idempotency.complete(key, commandId, answer);
  }

  release(key: IdempotencyKey, commandId: string, run: number): Promise<void> {
    return this.idempotency.release(key, commandId, run);
  }

  suspend(key: IdempotencyKey, commandId: string, run: number): Promise<void> {
    return this.idempotency.suspend(key, commandId, run);
  }

  listClaims(after: IdempotencyKey | null, limit: number): Promise<StoredClaim[]> {
    return this.idempotency.listClaims(after, limit);
  }

  restore(claims: readonly StoredClaim[]): Promise<void> {
    return this.idempotency.restore(claims);
  }
}

function describeAppend({ id, type, meta }: NewEvent, stream: string): TracedWork {
  const { correlationId, commandId: causationId } = meta;
  const attributes = { 'stream.category': extractCategory(stream) };
  return { name: `append ${type}`, kind: 'internal', id, correlationId, causationId, attributes };
}

/** Returns the store itself when there are no metrics. */
export function instrumentEventStore(store: EventStore, metrics: StoreMetrics | undefined, clock: Clock): EventStore {
  return metrics === undefined ? store : new InstrumentedEventStore(store, metrics, clock);
}

export function instrumentIdempotency(idempotency: Idempotency, metrics: StoreMetrics | undefined): Idempotency {
  return metrics === undefined ? idempotency : new InstrumentedIdempotency(idempotency, metrics);
}
