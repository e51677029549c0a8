import { backoff } from '../../kernel/backoff.js';
import { iso, type Clock, type Random } from '../../kernel/clock.js';
import type { Recorded } from '../../kernel/event.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import type { Jobs } from '../../kernel/jobs.js';
import type { Follows } from '../following/runner.js';
import { messageOf, Patience, Stopped, type Failure } from '../patience.js';
import type { Reactor } from '../registry.js';
import { Lanes } from '../streams/lanes.js';
import { parkedReaction } from './parked-reactions.js';
import { checkpointOf, isIn, type Part } from './parts.js';
import { Pool } from './pool.js';

const STREAMS_AT_ONCE = 32;
/**
 * Number of events in flight. A slow stream delays no other stream, only the checkpoint; so many events may be repeated
 * after a crash.
 */
const EVENTS_AHEAD = 2_000;
/**
 * Minimum time of retries before an event is parked: most failures are outages that no code has classified as such.
 */
const TRY_FOR_MS = 60_000;

/**
 * Calls a reactor for the streams of one part: events of one stream in order, events of different streams concurrently.
 */
export class Reactions implements Follows {
  readonly name: string;
  readonly ahead = EVENTS_AHEAD;
  private readonly lanes = new Lanes();
  private readonly pool = new Pool(STREAMS_AT_ONCE);
  private readonly types: ReadonlySet<string>;
  private readonly patience: Patience;

  constructor(
    private readonly reactor: Reactor,
    private readonly part: Part,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {
    this.name = checkpointOf(reactor, part);
    this.types = new Set(reactor.types);
    this.patience = new Patience(clock, random);
  }

  get failing(): Failure | null {
    return this.patience.failing;
  }

  async take(events: readonly Recorded[], signal: AbortSignal): Promise<boolean> {
    const streams = Map.groupBy(
      events.filter(({ type, stream }) => this.types.has(type) && isIn(this.part, stream)),
      ({ stream }) => stream,
    );
    await allOf([...streams].map(([stream, ofOne]) => this.lanes.run(stream, () => this.inOrder(ofOne, signal))));
    return streams.size > 0;
  }

  private async inOrder(events: readonly Recorded[], signal: AbortSignal): Promise<void> {
    for (const event of events) {
      if (signal.aborted) throw new Stopped();
      await this.reactOrPark(event, signal);
    }
  }

  private async reactOrPark(event: Recorded, signal: AbortSignal): Promise<void> {
    const began = this.clock.monotonic();
    for (let tries = 1; ; tries++) {
      try {
        return await this.pool.run(() => this.patience.persist(() => this.reactor.react(event), signal, isStoreUnavailable));
      } catch (error) {
        if (error instanceof Stopped) throw error;
        if (this.clock.monotonic() - began >= TRY_FOR_MS) return this.park(event, error, signal);
      }
      // Between two tries other streams use its permit of the semaphore.
      await this.clock.sleep(backoff(tries, this.random), signal);
      if (signal.aborted) throw new Stopped();
    }
  }

  private async park(event: Recorded, error: unknown, signal: AbortSignal): Promise<void> {
    const parked = parkedReaction(this.reactor, event, messageOf(error), iso(this.clock.now()));
    await this.patience.persist(() => this.jobs.put([parked]), signal);
  }
}

function isStoreUnavailable(error: unknown): boolean {
  return error instanceof StoreUnavailable;
}

/** Waits until all work has ended, and then rejects if any of it failed. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}
