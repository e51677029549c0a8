import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { AreaProjections } from '../../../engine/feature.js';
import { KeyedMutex } from '../../../engine/keyed-mutex.js';
import { ReadModelReader } from '../../../engine/read-models/read-model-reader.js';
import type { JobHandler, Reactor, Reschedule } from '../../../engine/registry.js';
import { Streams } from '../../../engine/streams/streams.js';
import { createSystemContext } from '../../../identity/system-context.js';
import { Clock, toIso } from '../../../kernel/clock.js';
import { ConsistencyContext } from '../../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../../kernel/event.js';
import { EventStore, StoreUnavailable } from '../../../kernel/event-store.js';
import { type Job, Jobs } from '../../../kernel/jobs.js';
import { declareQueue } from '../../../kernel/queue.js';
import {
  type TestClockAdvanceStarted,
  type TestClockCommand,
  testClockDecider,
  type TestClockSet,
} from '../../domain/test-clock.js';
import { DueTimers } from '../../due-timers.js';
import { type TimerDocument, timers } from '../../projections/timers.js';
import { TestClocks } from '../../test-clocks.js';
import { Timers } from './timers.js';

/** A business gets at most one job in this time, for all its timers that fall due. */
const JOB_INTERVAL_MS = 2_000;
/** The most timers of the same due time that run at the same time. */
const MAX_TOGETHER = 16;
/** The progress of a clock is recorded at most once in this time. */
const PROGRESS_MS = 1_000;
/** The clients of a request wait for 10 s. A second of it is left for the last timers and the read models. */
const REQUEST_MS = 9_000;

type ClockEvent = TestClockSet | TestClockAdvanceStarted;
type ClockId = Pick<TestClockSet['data'], 'businessId'>;
type ClockProgress = Extract<TestClockCommand, { type: 'AdvanceTestClock' | 'ReachTarget' }>;

/**
 * Runs the timers that are due by a test clock. The request that sets the clock does it; a job does it after a crash,
 * and for a timer that starts when it is due already. Runs at the same time converge: each begins with the first timers
 * and ends them before those of a later time.
 */
@Injectable()
export class AdvanceTestClocks
  extends DueTimers
  implements Reactor<ClockEvent>, JobHandler<ClockId>, BeforeApplicationShutdown
{
  readonly name = 'advance-test-clocks';
  readonly types = typesOf<ClockEvent>({ TestClockSet: true, TestClockAdvanceStarted: true });
  readonly queue = declareQueue<ClockId>({ name: 'test-clocks' });
  readonly concurrency = 2;
  readonly needs = [timers];
  private readonly mutex = new KeyedMutex();
  /** The businesses whose timers this process runs now. */
  private readonly advancing = new Set<string>();
  private isStopping = false;
  /** The time after which a request leaves the other timers to the job. */
  requestMs = REQUEST_MS;

  constructor(
    private readonly store: EventStore,
    private readonly projections: AreaProjections,
    private readonly reader: ReadModelReader,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    private readonly clocks: TestClocks,
    private readonly streams: Streams,
    private readonly runner: Timers,
  ) {
    super();
  }

  /** Stops advancing. The remaining timers run after the next start of the process. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  async react({ data: { businessId } }: RecordedOf<ClockEvent>): Promise<void> {
    await this.enqueue(businessId);
  }

  /** The job starts after its interval has passed, so it finds every timer for which it was enqueued. */
  async enqueue(businessId: string, at = this.clock.now()): Promise<void> {
    const due = toIso((Math.floor(at / JOB_INTERVAL_MS) + 1) * JOB_INTERVAL_MS);
    const job = { key: `test-clock:${businessId}:${due}`, due, data: { businessId } };
    await this.jobs.enqueue([this.queue.createJob(job)]);
  }

  /** Leaves the timers to a request that runs them now, and looks again later. */
  async run({ data: { businessId } }: Job<ClockId>): Promise<void | Reschedule> {
    if (this.advancing.has(businessId))
      return { at: toIso(this.clock.now() + JOB_INTERVAL_MS), reason: 'a request runs the timers' };
    await this.advance(businessId, new ConsistencyContext(), true);
  }

  async advance(businessId: string, consistency: ConsistencyContext, untilReady: boolean): Promise<void> {
    const endsAt = untilReady ? Infinity : this.clock.monotonic() + this.requestMs;
    await this.mutex.run(businessId, async () => {
      this.advancing.add(businessId);
      await this.runUntilRead(businessId, consistency, endsAt).finally(() => this.advancing.delete(businessId));
    });
  }

  /** Returns when every read model of the area has what the timers recorded. */
  private async runUntilRead(businessId: string, consistency: ConsistencyContext, endsAt: number): Promise<void> {
    await this.runInOrder(businessId, consistency, endsAt);
    const head = await this.store.readHead();
    await Promise.all(this.projections.all.map((projection) => this.reader.requirePosition(projection, head)));
  }

  /** @param endsAt the monotonic time after which no timer begins */
  private async runInOrder(businessId: string, consistency: ConsistencyContext, endsAt: number): Promise<void> {
    const { now, target } = await this.clocks.read(businessId);
    const until = target ?? now;
    if (until === null) return;

    await this.reader.requirePosition(timers, await this.store.readHead());
    let [done, recordedAt] = [new Set<string>() as ReadonlySet<string>, this.clock.monotonic()];
    while (!this.isStopping) {
      await this.reader.requirePosition(timers, consistency.position);
      // A timer that ran stays listed when no event has ended it.
      const due = await this.listDue(businessId, until, done.size + MAX_TOGETHER);
      const waiting = due.filter((timer) => !done.has(toRunKey(timer)));
      const next = waiting.filter((timer) => timer.due === waiting[0]!.due).slice(0, MAX_TOGETHER);
      if (next.length === 0) return this.record({ type: 'ReachTarget', businessId, target: until }, consistency);
      const ends = this.clock.monotonic() >= endsAt;
      if (ends || this.clock.monotonic() - recordedAt >= PROGRESS_MS) {
        await this.record({ type: 'AdvanceTestClock', businessId, now: next[0]!.due }, consistency);
        recordedAt = this.clock.monotonic();
      }
      if (ends) return;
      await this.runTogether(next, consistency);
      const listed = due.map(toRunKey).filter((key) => done.has(key));
      done = new Set([...listed, ...next.map(toRunKey)]);
    }
    throw new StoreUnavailable('the service stops before all due timers have run', true);
  }

  private async record(command: ClockProgress, consistency: ConsistencyContext): Promise<void> {
    const { businessId } = command;
    const context = createSystemContext(this.clock.now(), undefined, { type: 'system', id: this.name });
    const owned = { ...context, business: businessId, mode: 'test', consistency } as const;
    await this.streams.execute(testClockDecider, businessId, command, owned);
  }

  private async listDue(businessId: string, until: string, limit: number): Promise<readonly TimerDocument[]> {
    const where = { _business: businessId, _mode: 'test', due: { to: until } };
    const page = { where, limit, after: null, orderBy: 'due', ascending: true } as const;
    return (await this.reader.getSlice(timers, page, new ConsistencyContext())).data;
  }

  /** Runs timers of the same due time; those of one noun one after another. Each of them ends before an error is thrown. */
  private async runTogether(next: readonly TimerDocument[], consistency: ConsistencyContext): Promise<void> {
    const nouns = [...Map.groupBy(next, ({ nounId }) => nounId).values()];
    const runs = await Promise.allSettled(
      nouns.map(async (own) => {
        for (const timer of own) await this.runAtDueTime(timer, consistency);
      }),
    );
    for (const run of runs) if (run.status === 'rejected') throw run.reason;
  }

  private async runAtDueTime(timer: TimerDocument, consistency: ConsistencyContext): Promise<void> {
    const reschedule = await this.runner.run(timer, timer.due, consistency);
    if (reschedule) await this.enqueue(timer._business, Date.parse(reschedule.at));
  }
}

function toRunKey({ id, due, eventId }: TimerDocument): string {
  return `${id} ${due} ${eventId}`;
}
