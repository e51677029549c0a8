import { type BackgroundWork, reportFailure, reportParked, reportRecovery } from '../../kernel/background-errors.js';
import { drawBackoff } from '../../kernel/backoff.js';
import { type Clock, type Random, toIso } from '../../kernel/clock.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import type { Jobs } from '../../kernel/jobs.js';
import { toEventWork, trace } from '../../kernel/tracing.js';
import { type EventConsumer, type EventTypes, haveNoneInCommon } from '../consumers/event-consumer.js';
import { KeyedMutex } from '../keyed-mutex.js';
import type { AnyReactor } from '../registry.js';
import { AbortedError, describeError, type Failure, Retrier } from '../retrier.js';
import { Semaphore } from '../semaphore.js';
import { createParkedReaction } from './parked-reactions.js';
import { checkpointNameOf, isInPart, type Part } from './parts.js';

const MAX_CONCURRENT_STREAMS = 32;
/**
 * Number of events in flight. A slow stream delays no other stream, only the checkpoint; so many events may be repeated
 * after a crash.
 */
const MAX_IN_FLIGHT_EVENTS = 2_000;
/**
 * Minimum time of retries before an event is parked: most failures are outages that no code has classified as such.
 */
const RETRY_WINDOW_MS = 60_000;

/**
 * Calls a reactor for the streams of one part: events of one stream in order, events of different streams concurrently.
 */
export class ReactorConsumer implements EventConsumer {
  readonly name: string;
  readonly work: BackgroundWork;
  readonly maxInFlight = MAX_IN_FLIGHT_EVENTS;
  private readonly mutex = new KeyedMutex();
  private readonly semaphore = new Semaphore(MAX_CONCURRENT_STREAMS);
  private readonly types: ReadonlySet<string>;
  private readonly retrier: Retrier;

  constructor(
    private readonly reactor: AnyReactor,
    private readonly part: Part,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {
    this.name = checkpointNameOf(reactor, part);
    this.work = { kind: 'reactor', name: reactor.name };
    this.types = new Set(reactor.types);
    this.retrier = new Retrier(clock, random, this.work);
  }

  get failing(): Failure | null {
    return this.retrier.failing;
  }

  ignores(types: EventTypes): boolean {
    return haveNoneInCommon(types, this.types);
  }

  async handle(events: readonly RecordedEvent[], signal: AbortSignal): Promise<boolean> {
    const streams = Map.groupBy(
      events.filter(({ type, stream }) => this.types.has(type) && isInPart(this.part, stream)),
      ({ stream }) => stream,
    );
    await allSettledThenThrow(
      [...streams].map(([stream, ofOne]) => this.mutex.run(stream, () => this.reactInOrder(ofOne, signal))),
    );
    return streams.size > 0;
  }

  private async reactInOrder(events: readonly RecordedEvent[], signal: AbortSignal): Promise<void> {
    for (const event of events) {
      if (signal.aborted) throw new AbortedError();
      await this.reactOrPark(event, signal);
    }
  }

  private async reactOrPark(event: RecordedEvent, signal: AbortSignal): Promise<void> {
    const began = this.clock.monotonic();
    const work = { ...this.work, item: event.id };
    for (let tries = 1; ; tries++) {
      try {
        await this.semaphore.run(() => this.retrier.run(() => this.react(event), signal, isStoreUnavailable));
        return tries > 1 ? reportRecovery(work) : undefined;
      } catch (error) {
        if (error instanceof AbortedError) throw error;
        reportFailure(work, error);
        if (this.clock.monotonic() - began >= RETRY_WINDOW_MS) return this.park(event, error, signal);
      }
      // Between two tries other streams use its permit of the semaphore.
      await this.clock.sleep(drawBackoff(tries, this.random), signal);
      if (signal.aborted) throw new AbortedError();
    }
  }

  private react(event: RecordedEvent): Promise<void> {
    return trace(
      () => toEventWork(`react ${this.reactor.name}`, event),
      () => this.reactor.react(event),
    );
  }

  private async park(event: RecordedEvent, error: unknown, signal: AbortSignal): Promise<void> {
    const parked = createParkedReaction(this.reactor, event, describeError(error), toIso(this.clock.now()));
    await this.retrier.run(() => this.jobs.enqueue([parked]), signal);
    reportParked({ ...this.work, item: event.id }, error);
  }
}

function isStoreUnavailable(error: unknown): boolean {
  return error instanceof StoreUnavailable;
}

/** Waits until all work has ended, and then rejects if any of it failed. */
async function allSettledThenThrow(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}
