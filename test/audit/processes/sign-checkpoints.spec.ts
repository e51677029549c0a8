import { ChainSigner } from '../../../src/audit/chain-signer.js';
import { auditChainDecider } from '../../../src/audit/domain/audit-chain.js';
import { SignCheckpoints } from '../../../src/audit/processes/sign-checkpoints.js';
import { auditChains } from '../../../src/audit/projections/audit-chains.js';
import { Registry } from '../../../src/engine/registry.js';
import { addMs, MAX_CLOCK_SKEW_MS, toIso } from '../../../src/kernel/clock.js';
import type { NewEvent } from '../../../src/kernel/event.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { MemoryContainer } from '../../support/memory/memory-container.js';
import { readTestConfig } from '../../webhooks/test-config.js';
import { createChainedEvent } from '../chain/chained-log.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('The job that signs checkpoints', () => {
  let process: MemoryContainer;
  let recorded = 0;
  beforeEach(async () => {
    process = new MemoryContainer(await readTestConfig());
    const sign = process.get(SignCheckpoints);
    process
      .get(Registry)
      .add({ deciders: [auditChainDecider], projections: [auditChains], reactors: [sign], jobs: [sign] });
    await process.start();
  });
  afterEach(() => process.stop());

  /** @param lateMs the time by which the clock of the recording process is late */
  async function record(type: string, business: string | null, lateMs = 0): Promise<void> {
    const { id, meta } = createChainedEvent(++recorded);
    const event: NewEvent = {
      id,
      type,
      data: {},
      meta: { ...meta, business, at: toIso(process.clock.now() - lateMs) },
    };
    await process.events.append(`test-${recorded}`, 'none', [event]);
  }

  /** Returns the chains that were signed since the call before, with the number of their events. */
  let read = 0;
  const takeSigned = () => {
    const signed = process.events.log.slice(read).filter(({ type }) => type === 'ChainCheckpointSigned');
    read = process.events.log.length;
    return signed.map(({ data }) => data as { business: string | null; count: number; at: string });
  };
  const passHour = async () => {
    await process.clock.advance(HOUR_MS);
    return takeSigned().map(({ business, count }) => [business, count]);
  };
  beforeEach(() => void (read = 0));

  it('signs each chain with new events once an hour, and no other chain', async () => {
    for (const business of ['biz_1', 'biz_2']) await record('BusinessCreated', business);
    await record('UserRegistered', null);
    await process.clock.advance(30 * MINUTE_MS);
    await record('DiscountCreated', 'biz_1');
    expect(await passHour()).toEqual([
      ['biz_2', 1],
      [null, 1],
      ['biz_1', 2],
    ]);

    await record('DiscountCreated', 'biz_2');
    expect(await passHour()).toEqual([['biz_2', 3]]);
    expect(await passHour()).toEqual([]);
  });

  it.each([
    ['just before the last run', 1],
    ['by a clock that is as late as clocks may be', MAX_CLOCK_SKEW_MS],
  ])('signs next what is dated %s and stored after it', async (_, lateMs) => {
    for (const business of ['biz_1', 'biz_2']) await record('BusinessCreated', business);
    await passHour();
    await record('DiscountCreated', 'biz_1', lateMs);

    expect(await passHour()).toEqual([['biz_1', 3]]);
  });

  it('signs a chain once whose last event is dated before the others', async () => {
    await record('BusinessCreated', 'biz_1');
    await record('DiscountCreated', 'biz_1', MAX_CLOCK_SKEW_MS);

    expect(await passHour()).toEqual([['biz_1', 2]]);
    expect(await passHour()).toEqual([]);
  });

  it('waits for the read model, which shows a chain later than clocks may differ', async () => {
    for (const business of ['biz_1', 'biz_2']) await record('BusinessCreated', business);
    await passHour();
    const { readModels } = process;
    const upsert = readModels.upsert.bind(readModels);
    readModels.upsert = () => Promise.reject(new StoreUnavailable('the read models are away', false));
    await record('DiscountCreated', 'biz_1');
    expect(await passHour()).toEqual([]);
    readModels.upsert = upsert;

    expect(await passHour()).toEqual([['biz_1', 3]]);
  });

  describe('whose runs fail for longer than an hour', () => {
    const fail = (error: Error) => {
      const signer = process.get(ChainSigner);
      const sign = signer.sign.bind(signer);
      signer.sign = () => Promise.reject(error);
      return () => (signer.sign = sign);
    };
    beforeEach(async () => {
      for (const business of ['biz_1', 'biz_2']) await record('BusinessCreated', business);
      await passHour();
      await process.clock.advance(10 * MINUTE_MS);
      await record('DiscountCreated', 'biz_1');
    });

    it('signs what changed before the failures when an outage ends', async () => {
      const recover = fail(new StoreUnavailable('the store is away', false));
      await process.clock.advance(3 * HOUR_MS);
      expect(takeSigned()).toEqual([]);
      recover();

      expect(await passHour()).toEqual([['biz_1', 3]]);
    });

    it('signs what changed before the failures when an operator retries the parked job', async () => {
      const recover = fail(new TypeError('broken'));
      await process.clock.advance(3 * HOUR_MS);
      recover();
      const [job] = await process.jobs.list({ status: 'parked', limit: 1 });
      await process.jobs.release(job!.key, toIso(process.clock.now()));

      expect(await passHour()).toEqual([['biz_1', 3]]);
    });
  });

  it.each([
    ['an earlier release, without the time of the run before', () => ({})],
    ['a process whose clock was hours ahead', (due: string) => ({ since: addMs(due, 5 * HOUR_MS) })],
  ])('signs what changed in the last hour when its job is of %s', async (_, toData) => {
    for (const business of ['biz_1', 'biz_2']) await record('BusinessCreated', business);
    await passHour();
    const [key, entry] = [...process.jobs.entries].find(([, { job }]) => job.queue === 'audit-checkpoints')!;
    process.jobs.entries.set(key, { ...entry, job: { ...entry.job, data: toData(entry.job.due) } });
    await process.clock.advance(10 * MINUTE_MS);
    await record('DiscountCreated', 'biz_1');

    expect(await passHour()).toEqual([['biz_1', 3]]);
  });

  it('signs a chain that changes all the time once an hour', async () => {
    await record('BusinessCreated', 'biz_1');
    for (let minutes = 0; minutes < 130; minutes += 10) {
      await process.clock.advance(10 * MINUTE_MS);
      await record('DiscountCreated', 'biz_1');
    }
    const times = takeSigned().map(({ at }) => at.slice(11, 16));

    expect(times).toEqual(['10:00', '11:00']);
  });
});
