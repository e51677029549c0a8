import { type Db, MongoClient } from 'mongodb';
import { SystemClock } from '../../../src/kernel/clock.js';
import { ServerTime } from '../../../src/stores/mongodb/server-time.js';
import { ManualClock } from '../../support/clock.js';
import { Databases, onMongo } from './server.js';

/** The tolerated difference between the clocks of the test and of the server, response times included. */
const NEAR_MS = 10_000;
/** Longer than any stall of the machine. */
const LONG_MS = 60_000;

onMongo((server) => {
  const databases = Databases.each(server);
  let client: MongoClient;
  let db: Db;
  beforeEach(() => {
    client = new MongoClient(databases.url);
    db = client.db();
  });
  afterEach(() => client.close());

  it('returns the time of the server when the local clock is wrong', async () => {
    const wrong = new ManualClock(Date.parse('2001-01-01T00:00:00.000Z'));
    const time = await new ServerTime(db, wrong).now();

    expect(Math.abs(time - Date.now())).toBeLessThan(NEAR_MS);
  });

  it('advances with the local clock, and measures the time of the server again after a while', async () => {
    const clock = new ManualClock();
    const time = new ServerTime(db, clock);
    const first = await time.now();
    await clock.advance(20_000);
    expect(await time.now()).toBe(first + 20_000);

    await clock.advance(11_000);
    expect(Math.abs((await time.now()) - Date.now())).toBeLessThan(NEAR_MS);
  });

  it('is nearly the same for concurrent first callers', async () => {
    const times = await Promise.all(Array.from({ length: 8 }, () => new ServerTime(db, new SystemClock()).now()));

    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(NEAR_MS);
  });

  it('ends the leases of a dead process, and not too early', async () => {
    const [one, two] = [await databases.open(), await databases.open()];
    await one.jobs.enqueue([{ key: 'a', queue: 'mail', due: '2026-02-01T09:00:00.000Z', data: {} }]);
    const began = performance.now();
    const token = await one.leases.acquireLease('follower', 'one', 600);
    await one.leases.acquireLease('projector', 'one', LONG_MS);
    await one.jobs.claim('mail', { limit: 1, leaseMs: 600, holder: 'one' });
    await one.close();

    expect(await two.leases.acquireLease('projector', 'two', 600)).toBeNull();
    expect(await waitUntilPresent(() => two.leases.acquireLease('follower', 'two', 600))).toBe(token! + 1);
    expect(performance.now() - began).toBeGreaterThan(500);
    const [again] = await waitUntilPresent(async () => {
      const claimed = await two.jobs.claim('mail', { limit: 1, leaseMs: 600, holder: 'two' });
      return claimed.length === 0 ? null : claimed;
    });
    expect(again).toMatchObject({ key: 'a', attempt: 2 });
  });

  it('limits the sweep to claims that are older than a day', async () => {
    let now = Date.now();
    const { idempotency } = await databases.open({ time: { now: async () => now } });
    const claim = { fingerprint: 'f', leaseMs: 1_000, holder: 'one' };
    const begin = (key: string) => idempotency.claim({ scope: 'biz_1', key }, claim);
    await Promise.all(Array.from({ length: 30 }, (_, n) => begin(`old${n}`)));
    now += 12 * 3_600_000;
    await begin('young');
    now += 12 * 3_600_000 + 1;
    await idempotency.sweep();

    const kept = await db.collection('idempotency').find().toArray();
    expect(kept.map(({ _id }) => String(_id))).toEqual(['["biz_1","young"]']);
  });
});

async function waitUntilPresent<T>(ask: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
  }
}
