import { HostLimiter } from '../../../src/webhooks/delivery/host-limiter.js';
import type { Slot } from '../../../src/webhooks/delivery/slot.js';
import { ManualClock } from '../../support/clock.js';
import { readTestConfig } from '../test-config.js';

const ADDRESS = '93.184.215.14';
const OTHER_ADDRESS = '93.184.215.15';
const A = ['a.example.com', ADDRESS];
const B = ['b.example.com', ADDRESS];

/** A manual clock that counts its sleepers. */
class CountingClock extends ManualClock {
  sleeps = 0;

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeps++;
    return super.sleep(ms, signal);
  }
}

async function createLimiter(environment: Record<string, string>) {
  const clock = new CountingClock();
  return { clock, hosts: new HostLimiter(await readTestConfig(environment), clock) };
}

describe('The host limiter', () => {
  it('gives a released slot to the next attempt at once', async () => {
    const { hosts } = await createLimiter({ WEBHOOK_HOST_CONCURRENCY: '2' });
    const first = await hosts.acquire(A, 0);
    await hosts.acquire(A, 0);
    const third = hosts.acquire(A, 1_000);
    first!.release();
    expect(await third).toHaveProperty('release');
  });

  it('serves the waiting attempts in the order of arrival, and a new one after them', async () => {
    const { hosts } = await createLimiter({ WEBHOOK_HOST_CONCURRENCY: '1' });
    const held = hosts.tryAcquire(A)!;
    const served: number[] = [];
    const waiting = Array.from({ length: 5 }, (_, i) =>
      hosts.acquire(i % 2 === 0 ? A : B, 60_000).then((slot) => {
        served.push(i);
        expect(hosts.tryAcquire(B)).toBeNull();
        slot!.release();
      }),
    );
    held.release();
    await Promise.all(waiting);
    expect(served).toEqual([0, 1, 2, 3, 4]);
    expect(hosts.tryAcquire(A)).toHaveProperty('release');
  });

  it('limits a host also by its address, under all its names', async () => {
    const { hosts, clock } = await createLimiter({ WEBHOOK_HOST_CONCURRENCY: '1' });
    await hosts.acquire(A, 0);
    const other = hosts.acquire(B, 2_000);
    await clock.advance(2_000);
    expect(await other).toBeNull();
    expect(hosts.tryAcquire(['b.example.com', OTHER_ADDRESS])).toHaveProperty('release');
  });

  it('lets an attempt pass one that waits for another address', async () => {
    const { hosts } = await createLimiter({ WEBHOOK_HOST_CONCURRENCY: '1' });
    hosts.tryAcquire(['busy.example.com', OTHER_ADDRESS]);
    const held = hosts.tryAcquire(A)!;
    let hasBoth = false;
    void hosts.acquire(['both.example.com', ADDRESS, OTHER_ADDRESS], 60_000).then(() => (hasBoth = true));
    const next = hosts.acquire(B, 60_000);
    held.release();
    expect(await next).toHaveProperty('release');
    expect(hasBoth).toBe(false);
  });

  it('limits the attempts per second, with one timer for any number of waiting attempts', async () => {
    const { hosts, clock } = await createLimiter({ WEBHOOK_HOST_RATE: '2' });
    for (let i = 0; i < 2; i++) hosts.tryAcquire(['a.example.com'])!.release();
    const [acquired, waiters]: [number[], number] = [[], 100];
    for (let i = 0; i < waiters; i++)
      void hosts.acquire(['a.example.com'], 60_000).then((slot) => {
        acquired.push(i);
        slot!.release();
      });
    expect(clock.sleeps).toBe(waiters + 1);
    await clock.advance(999);
    expect([acquired, clock.sleeps]).toEqual([[], waiters + 1]);
    await clock.advance(1);
    expect(acquired).toEqual([0, 1]);
    await clock.advance(1_000);
    expect([acquired, clock.sleeps]).toEqual([[0, 1, 2, 3], waiters + 3]);
  });

  it('forgets an attempt that is aborted or waits too long', async () => {
    const { hosts, clock } = await createLimiter({ WEBHOOK_HOST_CONCURRENCY: '1' });
    const held = hosts.tryAcquire(A)!;
    const [closing, late] = [new AbortController(), hosts.acquire(A, 1_000)];
    const aborted = hosts.acquire(A, 60_000, closing.signal);
    closing.abort();
    await clock.advance(1_000);
    expect(await Promise.all([aborted, late])).toEqual([null, null]);
    held.release();
    expect(hosts.tryAcquire(A)).toHaveProperty('release');
  });

  it('counts an extra slot, so that later attempts wait', async () => {
    const { hosts } = await createLimiter({ WEBHOOK_HOST_CONCURRENCY: '1' });
    const slots: Slot[] = [hosts.tryAcquire(A)!, hosts.acquireExtra(A)];
    slots.pop()!.release();
    expect(hosts.tryAcquire(A)).toBeNull();
    slots.pop()!.release();
    expect(hosts.tryAcquire(A)).toHaveProperty('release');
  });

  it('applies no limit when the configuration disables it', async () => {
    const { hosts } = await createLimiter({ WEBHOOK_HOST_CONCURRENCY: '0', WEBHOOK_HOST_RATE: '0' });
    for (let i = 0; i < 1_000; i++) expect(hosts.tryAcquire(A)).not.toBeNull();
  });
});
