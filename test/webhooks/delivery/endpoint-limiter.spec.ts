import { EndpointLimiter } from '../../../src/webhooks/delivery/endpoint-limiter.js';
import type { Slot } from '../../../src/webhooks/delivery/slot.js';
import { ManualClock } from '../../support/clock.js';
import { readTestConfig } from '../test-config.js';

let clock: ManualClock;
let limiter: EndpointLimiter;

beforeEach(async () => {
  clock = new ManualClock();
  const limits = { WEBHOOK_ENDPOINT_CONCURRENCY: '4', WEBHOOK_ENDPOINT_RATE: '100' };
  limiter = new EndpointLimiter(await readTestConfig(limits), clock);
});

function take(endpointId: string, count: number, priority: 'first' | 'retry' = 'first'): Slot[] {
  return Array.from({ length: count }, () => limiter.tryAcquireOrDelay(endpointId, priority) as Slot);
}

describe('The endpoint limiter', () => {
  it('limits the slots and returns a delay when no slot is free', () => {
    take('whs_1', 4);
    expect(limiter.tryAcquireOrDelay('whs_1', 'first')).toEqual({ waitMs: expect.any(Number), reason: 'backlog' });
  });

  it('limits each endpoint separately', () => {
    take('whs_1', 4);
    expect(limiter.tryAcquireOrDelay('whs_2', 'first')).toHaveProperty('release');
  });

  it('reuses a released slot', async () => {
    const [slot] = take('whs_1', 4);
    await clock.advance(100);
    slot!.release();
    expect(limiter.tryAcquireOrDelay('whs_1', 'first')).toHaveProperty('release');
  });

  it('gives slots to waiting callers at the allowed rate and no faster', async () => {
    for (let i = 0; i < 100; i++) (await limiter.acquireWithin('whs_1', 0))!.release();
    expect(await limiter.acquireWithin('whs_1', 999)).toBeNull();
    const waiting = limiter.acquireWithin('whs_1', 1_000);
    await clock.advance(1_000);
    expect(await waiting).toHaveProperty('release');
  });

  it('gives no slot to a retry while a first attempt waits', async () => {
    const hanging = take('whs_1', 4);
    await clock.advance(1_000);
    limiter.tryAcquireOrDelay('whs_1', 'first');
    hanging.forEach((slot) => slot.release());
    expect(limiter.tryAcquireOrDelay('whs_1', 'retry')).toHaveProperty('waitMs');
    await clock.advance(1_000);
    expect(limiter.tryAcquireOrDelay('whs_1', 'retry')).toHaveProperty('release');
  });

  it('delays no first attempt because of queued retries', async () => {
    for (let i = 0; i < 50; i++) {
      const acquired = limiter.tryAcquireOrDelay('whs_1', 'retry');
      if ('release' in acquired) acquired.release();
    }
    expect(limiter.tryAcquireOrDelay('whs_1', 'retry')).toHaveProperty('waitMs');
    expect(limiter.tryAcquire('whs_1')).toHaveProperty('release');
  });

  it('leaves some slots that retries cannot use', () => {
    take('whs_1', 2, 'retry');
    expect(limiter.tryAcquireOrDelay('whs_1', 'retry')).toHaveProperty('waitMs');
    expect(limiter.tryAcquireOrDelay('whs_1', 'first')).toHaveProperty('release');
  });

  it('allows one retry at a time to an endpoint that keeps failing', () => {
    expect(limiter.tryAcquireOrDelay('whs_1', 'suspect')).toHaveProperty('release');
    expect(limiter.tryAcquireOrDelay('whs_1', 'suspect')).toHaveProperty('waitMs');
    expect(limiter.tryAcquireOrDelay('whs_1', 'retry')).toHaveProperty('release');
  });

  it('returns longer delays for a longer queue, but at most five seconds', async () => {
    const hanging = take('whs_1', 4);
    await clock.advance(15_000);
    hanging.forEach((slot) => slot.release());
    take('whs_1', 4);
    const waits = Array.from(
      { length: 50 },
      () => (limiter.tryAcquireOrDelay('whs_1', 'first') as { waitMs: number }).waitMs,
    );
    expect(waits[1]).toBeGreaterThan(waits[0]!);
    expect(Math.max(...waits)).toBe(5_000);
  });

  it('returns longer delays the longer all sends hang, also for a new endpoint', async () => {
    const waitMs = () => (limiter.tryAcquireOrDelay('whs_1', 'first') as { waitMs: number }).waitMs;
    take('whs_1', 4);
    const slotPromise = waitMs();
    await clock.advance(10_000);
    expect([slotPromise, waitMs()]).toEqual([10, 2_510]);
  });

  it('limits the rate', async () => {
    for (let i = 0; i < 100; i++) take('whs_1', 1)[0]!.release();
    expect(limiter.tryAcquireOrDelay('whs_1', 'first')).toEqual({ waitMs: 1_000, reason: 'rate' });
    await clock.advance(999);
    expect(limiter.tryAcquireOrDelay('whs_1', 'first')).toHaveProperty('waitMs');
    await clock.advance(1);
    expect(limiter.tryAcquireOrDelay('whs_1', 'first')).toHaveProperty('release');
  });

  it('limits the rate to the lower rate of the owner', async () => {
    limiter.setRate('whs_1', 1);
    take('whs_1', 1)[0]!.release();
    expect(limiter.tryAcquireOrDelay('whs_1', 'first')).toHaveProperty('waitMs');
    await clock.advance(999);
    expect(limiter.tryAcquireOrDelay('whs_1', 'first')).toHaveProperty('waitMs');
    await clock.advance(1);
    expect(limiter.tryAcquireOrDelay('whs_1', 'first')).toHaveProperty('release');
  });
});

describe('The next slot of a backlog', () => {
  it('is given when the rate allows it, and is not reserved before', async () => {
    limiter.setRate('whs_1', 1);
    take('whs_1', 1)[0]!.release();
    const next = limiter.acquireNext('whs_1', 'first', 2_500);
    const byHand = limiter.acquireWithin('whs_1', 1_000);
    await clock.advance(1_000);
    expect(await byHand).toHaveProperty('release');
    await clock.advance(1_000);
    expect(await next).toHaveProperty('release');
  });

  it('returns a delay when the slot would come too late', async () => {
    limiter.setRate('whs_1', 1);
    take('whs_1', 1)[0]!.release();
    expect(await limiter.acquireNext('whs_1', 'first', 900)).toEqual({ waitMs: 1_000, reason: 'rate' });
  });

  it('precedes new attempts and retries', async () => {
    const hanging = take('whs_1', 4);
    await clock.advance(1_000);
    const next = limiter.acquireNext('whs_1', 'first', 2_000);
    hanging.forEach((slot) => slot.release());
    expect(limiter.tryAcquire('whs_1')).toBeNull();
    expect(limiter.tryAcquireOrDelay('whs_1', 'retry')).toHaveProperty('waitMs');
    await clock.advance(1_000);
    expect(await next).toHaveProperty('release');
  });

  it('leaves half of the slots to first attempts when the backlog holds retries', async () => {
    take('whs_1', 2, 'retry');
    const next = limiter.acquireNext('whs_1', 'retry', 1_000);
    expect(limiter.tryAcquireOrDelay('whs_1', 'first')).toHaveProperty('release');
    await clock.advance(1_000);
    expect(await next).toHaveProperty('waitMs');
  });
});

describe('A caller that waits for a slot', () => {
  it('gets a slot as soon as one is free', async () => {
    const [slot] = take('whs_1', 4);
    const waiting = limiter.acquireWithin('whs_1', 1_000);
    await clock.advance(500);
    slot!.release();
    expect(await waiting).toHaveProperty('release');
  });

  it('waits no longer than its timeout', async () => {
    take('whs_1', 4);
    const waiting = limiter.acquireWithin('whs_1', 1_000);
    await clock.advance(1_000);
    expect(await waiting).toBeNull();
  });

  it('leaves the slot to the next caller after its timeout', async () => {
    const [slot] = take('whs_1', 4);
    const impatient = limiter.acquireWithin('whs_1', 100);
    const patient = limiter.acquireWithin('whs_1', 1_000);
    await clock.advance(100);
    slot!.release();
    expect(await impatient).toBeNull();
    expect(await patient).toHaveProperty('release');
  });
});

describe('A first attempt', () => {
  const send = async (count: number, eachMs: number) => {
    const sent = take('whs_1', count);
    await clock.advance(eachMs);
    sent.forEach((slot) => slot.release());
    await clock.advance(50);
  };

  it('gets a free slot at once', () => {
    take('whs_1', 3);
    expect(limiter.tryAcquire('whs_1')).toHaveProperty('release');
    expect(limiter.tryAcquire('whs_1')).toBeNull();
  });

  it('waits briefly for an endpoint that keeps releasing slots', async () => {
    await send(4, 10);
    const [slot] = take('whs_1', 4);
    await clock.advance(40);
    const waiting = limiter.acquireSoon('whs_1');
    slot!.release();
    expect(await waiting).toHaveProperty('release');
  });

  it('does not wait for an endpoint that hangs', async () => {
    take('whs_1', 4);
    await clock.advance(1_000);
    expect(await limiter.acquireSoon('whs_1')).toBeNull();
  });

  it('does not wait for a slow endpoint', async () => {
    await send(4, 5_000);
    take('whs_1', 4);
    await clock.advance(40);
    expect(await limiter.acquireSoon('whs_1')).toBeNull();
  });

  it('does not wait when more callers wait than the endpoint serves in that time', async () => {
    await send(4, 200);
    const sending = take('whs_1', 4);
    await clock.advance(40);
    const [first, second, third, fourth] = Array.from({ length: 4 }, () => limiter.acquireSoon('whs_1'));
    expect(await fourth).toBeNull();
    sending.forEach((slot) => slot.release());
    expect(await Promise.all([first, second, third])).not.toContain(null);
  });

  it('waits briefly after a delay, and for no other queued attempt', async () => {
    await send(4, 10);
    const [slot] = take('whs_1', 4);
    await clock.advance(40);
    limiter.tryAcquireOrDelay('whs_1', 'first');
    const waiting = limiter.acquireOrDelay('whs_1');
    slot!.release();
    expect(await waiting).toHaveProperty('release');
  });

  it('waits for the rate when it returns slightly early from a delay', async () => {
    limiter.setRate('whs_1', 1);
    take('whs_1', 1)[0]!.release();
    expect(await limiter.acquireOrDelay('whs_1')).toEqual({ waitMs: 1_000, reason: 'rate' });
    await clock.advance(995);
    const waiting = limiter.acquireOrDelay('whs_1');
    await clock.advance(5);
    expect(await waiting).toHaveProperty('release');
  });

  it('gets another delay from a slow endpoint', async () => {
    await send(4, 5_000);
    take('whs_1', 4);
    expect(await limiter.acquireOrDelay('whs_1')).toHaveProperty('waitMs');
  });

  it('queues after the delayed attempts', async () => {
    const hanging = take('whs_1', 4);
    await clock.advance(1_000);
    limiter.tryAcquireOrDelay('whs_1', 'first');
    hanging.forEach((slot) => slot.release());
    expect(limiter.tryAcquire('whs_1')).toBeNull();
    expect(await limiter.acquireSoon('whs_1')).toBeNull();
    await clock.advance(1_000);
    expect(limiter.tryAcquire('whs_1')).toHaveProperty('release');
  });
});
