import { DatabaseSync } from 'node:sqlite';
import type { EmbeddedStores } from '../../src/stores/embedded/embedded.js';
import { currentProcessId, isProcessDead } from '../../src/stores/process-id.js';
import { collect, createEvent, createEvents, flattenPages, pickIds, readFollowed } from '../contracts/events.js';
import { type Acknowledged, Appender } from './support/appenders.js';
import { Folder } from './support/folder.js';

const DUE = '2026-02-01T09:00:00.000Z';
const LONG_MS = 3_600_000;

describe('Several processes on one embedded store', () => {
  const folder = Folder.each();

  it('append concurrently without losing events', async () => {
    const appenders = ['a', 'b'].map((name) => new Appender(folder.file, name, 100));
    const { events: log } = await folder.open();
    const mine = createEvents(50);
    for (const [i, one] of mine.entries()) await log.append('c-0', i === 0 ? 'none' : i - 1, [one]);
    await Promise.all(appenders.map((appender) => appender.end()));

    for (const appender of appenders) {
      expect(appender.acknowledged).toHaveLength(400);
      await expectRecorded(log, appender.acknowledged);
    }
    expect(pickIds(await collect(log.readStream('c-0')))).toEqual(pickIds(mine));
    expect((await log.readAll({ limit: 1_000 })).events).toHaveLength(850);
  });

  it('keep every acknowledged event when one of them is killed', async () => {
    const appender = new Appender(folder.file, 'a', 100_000);
    await appender.hasPrinted(200);
    await appender.kill();
    const { events: log } = await folder.open();

    await expectRecorded(log, appender.acknowledged);
    const recorded = await collect(log.readStream('a-0'));
    expect(recorded.map(({ revision }) => revision)).toEqual(recorded.map((_, i) => i));
  });

  it('wait for each other’s lock, and serve reads while they wait', async () => {
    const { events: log } = await folder.open();
    await log.append('jar-1', 'none', createEvents(1));
    const other = new DatabaseSync(folder.file);
    other.exec('begin immediate');

    const waiting = log.append('jar-1', 0, createEvents(1));
    for (let reads = 0; reads < 50; reads++) expect(await collect(log.readStream('jar-1'))).toHaveLength(1);
    other.exec('rollback');
    other.close();

    expect((await waiting).revision).toBe(1);
  });

  it('are notified of each other’s events and jobs', async () => {
    const [one, two] = [await folder.open(), await folder.open()];
    await one.events.append('jar-1', 'none', createEvents(1));
    const put = Promise.withResolvers<void>();
    const end = one.jobs.onEnqueued(() => put.resolve());
    const [late] = createEvents(1);

    const seen = await readFollowed(one.events, { after: '' }, 2, () => two.events.append('jar-1', 0, [late!]));
    await two.jobs.enqueue([job('a')]);
    await put.promise;
    end();

    expect(flattenPages(seen).at(-1)!.id).toBe(late!.id);
    expect(await one.jobs.findNextDue('mail')).toBe(DUE);
  });

  it('see each other’s collections, even when their schema changes', async () => {
    const [one, two] = [await folder.open(), await folder.open()];
    expect(await two.models.count('jars@1', {})).toBe(0);
    await one.models.ensureCollection('jars@1', { indexes: [['coins']] });
    await one.models.upsert('jars@1', [
      { id: 'jar_1', position: '1', document: { id: 'jar_1', coins: 3, name: 'red' } },
    ]);
    expect(await two.models.find('jars@1', { where: { coins: 3 }, orderBy: 'id', limit: 1 })).toHaveLength(1);
    await one.models.ensureCollection('jars@1', { indexes: [['name']], totals: [['name']] });
    await two.models.upsert('jars@1', [
      { id: 'jar_2', position: '1', document: { id: 'jar_2', coins: 3, name: 'red' } },
    ]);

    expect(await two.models.count('jars@1', { name: 'red' })).toBe(2);
  });

  describe('after one process has died', () => {
    let stores: EmbeddedStores;
    let gone: string;
    beforeEach(async () => {
      const appender = new Appender(folder.file, 'a', 0);
      await appender.end();
      gone = deadHolderOf(appender.pid);
      stores = await folder.open();
    });

    it('report it as dead, but no live process and no process of another machine', () => {
      expect([gone, currentProcessId(), 'worker-1', '', 'x:1:y'].map(isProcessDead)).toEqual([
        true,
        false,
        false,
        false,
        false,
      ]);
    });

    it('take over its jobs at once, which are due at once', async () => {
      await stores.jobs.enqueue([job('a')]);
      await stores.jobs.claim('mail', { limit: 1, leaseMs: LONG_MS, holder: gone });

      expect(await stores.jobs.findNextDue('mail')).toBe(DUE);
      expect(await stores.jobs.claim('mail', { limit: 1, leaseMs: LONG_MS, holder: currentProcessId() })).toMatchObject(
        [{ key: 'a', attempt: 2 }],
      );
      expect(await stores.jobs.claim('mail', { limit: 1, leaseMs: LONG_MS, holder: 'another' })).toEqual([]);
    });

    it('list its jobs as waiting, and let an operator change them', async () => {
      await stores.jobs.enqueue([job('a'), job('b')]);
      await stores.jobs.claim('mail', { limit: 2, leaseMs: LONG_MS, holder: gone });

      expect(await stores.jobs.list({ status: 'waiting', limit: 9 })).toMatchObject([
        { key: 'a', holder: null },
        { key: 'b' },
      ]);
      expect(await stores.jobs.readQueueStats()).toMatchObject([
        { queue: 'mail', waiting: 2, running: 0, oldestDue: DUE },
      ]);
      expect([await stores.jobs.release('a', DUE), await stores.jobs.cancel('b')]).toEqual([true, true]);
    });

    it('take over its leases at once', async () => {
      const token = await stores.leases.acquireLease('follower', gone, LONG_MS);

      expect(await stores.leases.acquireLease('follower', currentProcessId(), LONG_MS)).toBeGreaterThan(token!);
      expect(await stores.leases.acquireLease('follower', 'another', LONG_MS)).toBeNull();
    });

    it('resume its requests at once', async () => {
      const key = { scope: 'biz_1', key: 'k' };
      const claim = { fingerprint: 'f', leaseMs: LONG_MS };
      const claimed = await stores.idempotency.claim(key, { ...claim, holder: gone });

      expect(await stores.idempotency.claim(key, { ...claim, holder: currentProcessId() })).toEqual({
        ...claimed,
        run: 2,
      });
      expect(await stores.idempotency.claim(key, { ...claim, holder: 'another' })).toEqual({ status: 'in_progress' });
    });
  });
});

/** Returns the lease holder name of the dead process: the name of this process with another process id. */
function deadHolderOf(pid: number): string {
  return currentProcessId().replace(/^\d+/, `${pid}`);
}

function job(key: string) {
  return { key, queue: 'mail', due: DUE, data: createEvent().data };
}

async function expectRecorded(log: EmbeddedStores['events'], acknowledged: readonly Acknowledged[]): Promise<void> {
  const streams = Map.groupBy(acknowledged, ({ stream }) => stream);
  for (const [stream, appends] of streams) {
    const recorded = await collect(log.readStream(stream));
    for (const { revision, id } of appends) expect(recorded[revision]).toMatchObject({ revision, id });
  }
}
