import { LEASE_CLOCK_MARGIN_MS } from '../../../src/kernel/leases.js';
import { Databases, onMongo } from './server.js';

const NOW = Date.parse('2026-02-01T09:00:00.000Z');
const TTL_MS = 86_400_000;
const YEAR_MS = 365 * TTL_MS;

onMongo((server) => {
  const databases = Databases.each(server);
  /** Opens the stores with this time of the server. */
  const openAt = (ms: number) => databases.open({ time: { now: () => Promise.resolve(ms) } });

  it('frees a lease that was taken while the clock was a year ahead, once', async () => {
    const [early, late] = [await openAt(NOW + YEAR_MS), await openAt(NOW)];
    await early.leases.acquireLease('day of tombstones', 'first', TTL_MS);

    const tokens = await Promise.all(
      ['second', 'third', 'fourth'].map((holder) => late.leases.acquireLease('day of tombstones', holder, TTL_MS)),
    );
    expect(tokens.filter((token) => token !== null)).toEqual([2]);
  });

  it('keeps a lease whose holder has asked for a longer time than the next one', async () => {
    const { leases } = await openAt(NOW);
    await leases.acquireLease('day of tombstones', 'first', TTL_MS + LEASE_CLOCK_MARGIN_MS);

    expect(await leases.acquireLease('day of tombstones', 'second', TTL_MS)).toBeNull();
  });

  const LEASE_MS = 30_000;
  const key = { scope: 'biz_1 live', key: 'k' };
  const claimAs = (holder: string) => ({ fingerprint: 'f', leaseMs: LEASE_MS, holder });

  it('frees a job that was claimed while the clock was a year ahead, and keeps one that is claimed now', async () => {
    const [{ jobs: early }, { jobs }] = [await openAt(NOW + YEAR_MS), await openAt(NOW)];
    const due = new Date(NOW - 1_000).toISOString();
    await early.enqueue([{ key: 'a', queue: 'mail', due, data: {} }]);
    const [first] = await early.claim('mail', { limit: 1, leaseMs: LEASE_MS, holder: 'first' });
    const next = await jobs.findNextDue('mail');
    const seen = [await jobs.find('a'), ...(await jobs.readQueueStats())];
    const [second] = await jobs.claim('mail', { limit: 1, leaseMs: LEASE_MS, holder: 'second' });
    const third = await jobs.claim('mail', { limit: 1, leaseMs: LEASE_MS, holder: 'third' });

    expect(next).toBe(due);
    expect(seen).toMatchObject([
      { key: 'a', status: 'waiting' },
      { queue: 'mail', waiting: 1, due: 1, running: 0 },
    ]);
    expect(second).toMatchObject({ key: 'a', attempt: 2 });
    expect(third).toEqual([]);
    expect(await early.complete(first!)).toBe(false);
  });

  it('lets an operator cancel a job that was claimed while the clock was a year ahead', async () => {
    const [{ jobs: early }, { jobs }] = [await openAt(NOW + YEAR_MS), await openAt(NOW)];
    await early.enqueue([{ key: 'a', queue: 'mail', due: new Date(NOW).toISOString(), data: {} }]);
    await early.claim('mail', { limit: 1, leaseMs: LEASE_MS, holder: 'first' });

    expect(await jobs.cancel('a')).toBe(true);
  });

  it('resumes an idempotency key that was claimed while the clock was a year ahead, once', async () => {
    const [{ idempotency: early }, { idempotency }] = [await openAt(NOW + YEAR_MS), await openAt(NOW)];
    const first = await early.claim(key, claimAs('first'));
    const resumed = await idempotency.claim(key, claimAs('second'));
    const again = await idempotency.claim(key, claimAs('third'));

    expect(first).toMatchObject({ status: 'started', run: 1 });
    expect(resumed).toMatchObject({ status: 'started', run: 2 });
    expect(again).toEqual({ status: 'in_progress' });
  });
});
