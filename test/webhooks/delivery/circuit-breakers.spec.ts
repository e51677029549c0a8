import type { ReadModelReader } from '../../../src/engine/read-models/read-model-reader.js';
import { toIso } from '../../../src/kernel/clock.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { type BacklogId, Backlogs, workKeyOf } from '../../../src/webhooks/delivery/backlogs.js';
import { CircuitBreakers } from '../../../src/webhooks/delivery/circuit-breakers.js';
import { NO_HISTORY } from '../../../src/webhooks/domain/endpoint-health.js';
import { ManualClock } from '../../support/clock.js';
import { MemoryJobs } from '../../support/memory/jobs.js';
import { createAttempt, failed, succeeded } from '../facts.js';
import { recordedFrom } from '../recorded-from.js';
import { readTestConfig } from '../test-config.js';

const ENDPOINT = 'whs_1';
const OPEN = { ...NO_HISTORY, failures_in_row: 10, trips: 1, tripped_at: '2026-02-01T09:00:00.000Z' };

/** The projection as one read of it, which a test answers late. */
class LateReader {
  hasReached = true;
  private reads: ((health: object) => void)[] = [];

  waitUntil = async (): Promise<boolean> => this.hasReached;

  getExisting(): Promise<ReadonlyMap<string, object>> {
    return new Promise((resolve) =>
      this.reads.push((health) => resolve(new Map([[ENDPOINT, { id: ENDPOINT, ...health }]]))),
    );
  }

  async answer(health: object): Promise<void> {
    await turn();
    this.reads.splice(0).forEach((resolve) => resolve(health));
    await turn();
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const fail = (times: number): RecordedEvent[] =>
  Array.from({ length: times }, () => recordedFrom(failed(createAttempt(1), { reason: 'server_error' })));

describe('A circuit breaker that reads the projection', () => {
  let reader: LateReader;
  let breakers: CircuitBreakers;
  let clock: ManualClock;
  let jobs: MemoryJobs;
  let backlogs: Backlogs;
  beforeEach(async () => {
    clock = new ManualClock();
    reader = new LateReader();
    jobs = new MemoryJobs(clock);
    backlogs = new Backlogs(jobs, clock);
    breakers = new CircuitBreakers(await readTestConfig(), reader as unknown as ReadModelReader, backlogs, clock);
  });

  it('opens by the failures that another process recorded', async () => {
    expect(breakers.isTripped(ENDPOINT)).toBe(false);
    await reader.answer(OPEN);
    expect(breakers.isTripped(ENDPOINT)).toBe(true);
  });

  it('stays open when ten attempts of this process fail during a late read', async () => {
    breakers.isTripped(ENDPOINT);
    await turn();
    breakers.record(ENDPOINT, fail(10));
    await reader.answer(NO_HISTORY);
    expect(breakers.isTripped(ENDPOINT)).toBe(true);
  });

  it('stays closed when an attempt of this process succeeds during a late read', async () => {
    breakers.record(ENDPOINT, fail(10));
    breakers.isTripped(ENDPOINT);
    await turn();
    breakers.record(
      ENDPOINT,
      [recordedFrom(succeeded(createAttempt(1)))].map((end) => ({ ...end, position: '0009' })),
    );
    await reader.answer(OPEN);
    expect(breakers.isTripped(ENDPOINT)).toBe(false);
  });

  it('does not open by the failures of test events', async () => {
    const tests = fail(10).map((end) => ({ ...end, data: { ...end.data, test: true } }));
    breakers.record(ENDPOINT, tests);
    expect(breakers.isTripped(ENDPOINT)).toBe(false);
    breakers.record(ENDPOINT, fail(10));
    expect(breakers.isTripped(ENDPOINT)).toBe(true);
  });

  it('ignores a projection that has not reached the attempts of this process', async () => {
    reader.hasReached = false;
    breakers.record(ENDPOINT, fail(10));
    breakers.isTripped(ENDPOINT);
    await reader.answer(NO_HISTORY);
    expect(breakers.isTripped(ENDPOINT)).toBe(true);
  });

  it('closes when the projection says so, before an attempt waits', async () => {
    breakers.record(ENDPOINT, fail(10));
    const pass = breakers.admit(ENDPOINT);
    await reader.answer(NO_HISTORY);
    expect((await pass).waitMs).toBe(0);
    expect(breakers.isTripped(ENDPOINT)).toBe(false);
  });

  describe('of an endpoint whose breaker another process opened', () => {
    const LATER = '2026-02-01T10:00:00.000Z';
    const BACKLOG: BacklogId = { endpointId: ENDPOINT, kind: 'first' };
    const succeedAt = (position: string): RecordedEvent => ({ ...recordedFrom(succeeded(createAttempt(1))), position });
    const readDue = async () => (await jobs.find(workKeyOf(BACKLOG)))!.due;
    beforeEach(() => jobs.enqueue([{ ...backlogs.toWorkJob(BACKLOG), due: LATER }]));

    it('lets the backlog go on when an attempt succeeds before the first read', async () => {
      breakers.record(ENDPOINT, [succeedAt('0009')]);
      await turn();
      expect(await readDue()).toBe(toIso(clock.now()));
    });

    it('lets the backlog go on when an attempt succeeds during the first read', async () => {
      breakers.isTripped(ENDPOINT);
      await turn();
      breakers.record(ENDPOINT, [succeedAt('0009')]);
      await turn();
      expect(await readDue()).toBe(LATER);
      await reader.answer(OPEN);
      expect(await readDue()).toBe(toIso(clock.now()));
    });

    it('wakes the backlog once while attempts keep succeeding', async () => {
      breakers.record(ENDPOINT, [succeedAt('0009')]);
      await turn();
      await jobs.release(workKeyOf(BACKLOG), LATER);
      breakers.record(ENDPOINT, [succeedAt('0010')]);
      await turn();
      expect(await readDue()).toBe(LATER);
    });
  });
});

describe('The probe of an open circuit breaker', () => {
  let clock: ManualClock;
  let breakers: CircuitBreakers;
  beforeEach(async () => {
    clock = new ManualClock();
    const reader = new LateReader();
    reader.hasReached = false;
    const config = await readTestConfig({ WEBHOOK_BREAKER_WAITS: '5' });
    const backlogs = new Backlogs(new MemoryJobs(clock), clock);
    breakers = new CircuitBreakers(config, reader as unknown as ReadModelReader, backlogs, clock);
    breakers.record(ENDPOINT, fail(10));
  });

  const admit = () => breakers.admit(ENDPOINT);
  const waitOf = async () => (await admit()).waitMs;

  it('is one attempt at a time, after the wait', async () => {
    await clock.advance(4_800);
    expect(await waitOf()).toBe(200);
    await clock.advance(200);
    const probe = await admit();
    expect(probe.waitMs).toBe(0);
    expect(await waitOf()).toBe(5_000);

    probe.end();
    expect(await waitOf()).toBe(0);
  });

  it('is lost after 20 s, and its late end does not end the next one', async () => {
    await clock.advance(5_000);
    const lost = await admit();
    await clock.advance(19_999);
    expect(await waitOf()).toBe(5_000);
    await clock.advance(1);
    expect(await waitOf()).toBe(0);

    lost.end();
    expect(await waitOf()).toBe(5_000);
  });

  it('leaves its place when it fails, although it has not ended yet', async () => {
    await clock.advance(5_000);
    await admit();
    const at = toIso(clock.now());
    const attempt = createAttempt(1, { startedAt: at });
    breakers.record(ENDPOINT, [recordedFrom(failed(attempt, { reason: 'server_error' }), at)]);
    expect(await waitOf()).toBe(5_000);
    await clock.advance(5_000);

    expect(await waitOf()).toBe(0);
  });
});
