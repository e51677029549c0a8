import { testClockDecider } from '../../../src/commerce/domain/test-clock.js';
import { AdvanceTestClocks } from '../../../src/commerce/processes/timers/advance-test-clocks.js';
import { Timers } from '../../../src/commerce/processes/timers/timers.js';
import type { TimerDocument } from '../../../src/commerce/projections/timers.js';
import { TestClocks } from '../../../src/commerce/test-clocks.js';
import { AreaProjections } from '../../../src/engine/feature.js';
import { ReadModelReader } from '../../../src/engine/read-models/read-model-reader.js';
import type { Reschedule } from '../../../src/engine/registry.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { addMs, LATEST_TIME, toIso } from '../../../src/kernel/clock.js';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import { waitUntilIdle } from '../../support/clock.js';
import { createContext } from '../../support/jar.js';
import { MemoryContainer } from '../../support/memory/memory-container.js';
import { readTestConfig } from '../../webhooks/test-config.js';
import { createJob } from '../checkout-fixture.js';

const BUSINESS = 'biz_1';
const HOUR_MS = 3_600_000;

interface ListRequest {
  readonly where: { readonly due: { readonly to: string } };
  readonly limit: number;
}

/** A test clock whose timers only write when they begin and end. */
class ClockOfTimers {
  readonly log: string[] = [];
  readonly process: MemoryContainer;
  readonly start: string;
  readonly target: string;
  private listed: TimerDocument[] = [];
  private readonly results = new Map<string, () => Promise<void | Reschedule>>();

  private constructor(process: MemoryContainer) {
    this.process = process;
    this.start = toIso(process.clock.now());
    this.target = addMs(this.start, 10 * HOUR_MS);
    const getSlice = async (_: unknown, { where, limit }: ListRequest) => ({
      data: this.listed.filter(({ due }) => due <= where.due.to).slice(0, limit),
    });
    process
      .provide(AreaProjections, new AreaProjections([]))
      .provide(ReadModelReader, { requirePosition: async () => {}, getSlice } as unknown as ReadModelReader)
      .provide(Timers, { run: (timer: TimerDocument) => this.run(timer) } as unknown as Timers);
  }

  static async create(): Promise<ClockOfTimers> {
    const clock = new ClockOfTimers(new MemoryContainer(await readTestConfig()));
    const set = { type: 'SetTestClock', businessId: BUSINESS, now: clock.target, latest: LATEST_TIME } as const;
    await clock.process.get(Streams).execute(testClockDecider, BUSINESS, set, createContext('set'));
    return clock;
  }

  /** Adds a timer that is due so many hours after the start. `work`: what its run does. */
  add(id: string, nounId: string, hours: number, work: () => Promise<void | Reschedule> = waitUntilIdle): void {
    const due = addMs(this.start, hours * HOUR_MS);
    const timer = { id, kind: 'renewal', nounId, due, eventId: id, _business: BUSINESS, _mode: 'test' };
    this.listed.push(timer as unknown as TimerDocument);
    this.results.set(id, work);
  }

  advance(): Promise<void> {
    return this.process.get(AdvanceTestClocks).advance(BUSINESS, new ConsistencyContext(), true);
  }

  async readTarget(): Promise<string | null> {
    return (await this.process.get(TestClocks).read(BUSINESS)).target;
  }

  private async run({ id }: TimerDocument): Promise<void | Reschedule> {
    this.log.push(`begin ${id}`);
    const result = await this.results.get(id)!();
    this.listed = this.listed.filter((timer) => timer.id !== id);
    this.log.push(`end ${id}`);
    return result;
  }
}

describe('A test clock that advances', () => {
  let clock: ClockOfTimers;
  beforeEach(async () => (clock = await ClockOfTimers.create()));

  it('runs a timer when those of every earlier time have ended', async () => {
    clock.add('first', 'ps_1', 1);
    clock.add('second', 'ps_2', 2, async () => {});
    await clock.advance();

    expect(clock.log).toEqual(['begin first', 'end first', 'begin second', 'end second']);
    expect(await clock.readTarget()).toBeNull();
  });

  it('runs timers of one time together, and those of one noun one after another', async () => {
    clock.add('payment', 'ps_1', 1);
    clock.add('end', 'ps_1', 1);
    clock.add('other', 'ps_2', 1);
    await clock.advance();

    const places = ['begin payment', 'begin other', 'end payment', 'begin end'].map((line) => clock.log.indexOf(line));
    expect(places).toEqual([0, 1, ...places.slice(2).sort()]);
  });

  it('stops at an error, after the timers of that time, and before its target', async () => {
    const fail = () => Promise.reject(new Error('The timer fails.'));
    clock.add('failing', 'ps_1', 1, fail);
    clock.add('beside', 'ps_2', 1);
    clock.add('later', 'ps_3', 2);
    await expect(clock.advance()).rejects.toThrow('The timer fails.');

    expect(clock.log).toEqual(['begin failing', 'begin beside', 'end beside']);
    expect(await clock.readTarget()).toBe(clock.target);
  });

  it('looks again at the time for which a timer asks, and not before', async () => {
    const at = addMs(clock.start, HOUR_MS);
    clock.add('unsettled', 'pay_1', 1, async () => ({ at, reason: 'not settled yet' }));
    await clock.advance();

    const { job } = [...clock.process.jobs.entries.values()][0]!;
    expect(job.queue).toBe(clock.process.get(AdvanceTestClocks).queue.name);
    expect(job.due > at && job.due <= addMs(at, 2_000)).toBe(true);
  });

  it('leaves its timers to the request that runs them: the job looks again later', async () => {
    const { promise: paused, resolve: go } = Promise.withResolvers<void>();
    clock.add('slow', 'ps_1', 1, () => paused);
    const advanced = clock.advance();
    await waitUntilIdle();
    const run = () => clock.process.get(AdvanceTestClocks).run(createJob({ businessId: BUSINESS }));

    expect(await run()).toMatchObject({ at: addMs(clock.start, 2_000) });
    go();
    await advanced;
    expect(await run()).toBeUndefined();
    expect(clock.log).toEqual(['begin slow', 'end slow']);
  });
});
