import type { Clock } from '../kernel/clock.js';
import { extractCategory } from '../kernel/decider.js';
import type { NewEvent } from '../kernel/event.js';
import { type AppendResult, Conflict } from '../kernel/event-store.js';
import type { ClaimResult } from '../kernel/idempotency.js';
import { recordTraced, type TracedWork } from '../kernel/tracing.js';

/** Receives measurements of the store calls of this process. Implementations must not throw. */
export abstract class StoreMetrics {
  /** @param ms time from the call to the acknowledgement */
  abstract onAppended(events: readonly NewEvent[], ms: number): void;
  abstract onConflict(): void;
  abstract onClaim(status: ClaimResult['status']): void;
}

/** Runs an append, and may measure it. */
export type RunAppend = (
  stream: string,
  events: readonly NewEvent[],
  append: () => Promise<AppendResult>,
) => Promise<AppendResult>;

export function measureAppends(metrics: StoreMetrics, clock: Clock): RunAppend {
  return async (stream, events, append) => {
    const began = clock.monotonic();
    try {
      const appended = await append();
      const ms = clock.monotonic() - began;
      metrics.onAppended(events, ms);
      recordTraced(() => events.map((event) => describeAppend(event, stream)), ms);
      return appended;
    } catch (error) {
      if (error instanceof Conflict) metrics.onConflict();
      throw error;
    }
  };
}

function describeAppend({ id, type, meta }: NewEvent, stream: string): TracedWork {
  const { correlationId, commandId: causationId } = meta;
  const attributes = { 'stream.category': extractCategory(stream) };
  return { name: `append ${type}`, kind: 'internal', id, correlationId, causationId, attributes };
}
