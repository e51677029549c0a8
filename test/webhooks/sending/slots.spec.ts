import { Slots, type Slot } from '../../../src/webhooks/sending/slots.js';
import { ManualClock } from '../../support/clock.js';
import { configOf } from '../config.js';

let clock: ManualClock;
let slots: Slots;

beforeEach(async () => {
  clock = new ManualClock();
  const limits = { WEBHOOK_ENDPOINT_CONCURRENCY: '4', WEBHOOK_ENDPOINT_RATE: '100' };
  slots = new Slots(await configOf(limits), clock);
});

function taken(endpointId: string, count: number, kind: 'first' | 'retry' = 'first'): Slot[] {
  return Array.from({ length: count }, () => slots.enter(endpointId, kind) as Slot);
}

describe('The endpoint limiter', () => {
  it('limits the slots and returns a delay when no slot is free', () => {
    taken('whs_1', 4);
    expect(slots.enter('whs_1', 'first')).toEqual({ waitMs: expect.any(Number) });
  });

  it('limits each endpoint separately', () => {
    taken('whs_1', 4);
    expect(slots.enter('whs_2', 'first')).toHaveProperty('release');
  });

  it('reuses a released slot', async () => {
    const [slot] = taken('whs_1', 4);
    await clock.advance(100);
    slot!.release();
    expect(slots.enter('whs_1', 'first')).toHaveProperty('release');
  });

  it('gives slots to waiting callers at the allowed rate and no faster', async () => {
    for (let i = 0; i < 100; i++) (await slots.acquire('whs_1', 0))!.release();
    expect(await slots.acquire('whs_1', 999)).toBeNull();
    const waiting = slots.acquire('whs_1', 1_000);
    await clock.advance(1_000);
    expect(await waiting).toHaveProperty('release');
  });

  it('gives no slot to a retry while a first attempt waits', async () => {
    const hanging = taken('whs_1', 4);
    await clock.advance(1_000);
    slots.enter('whs_1', 'first');
    hanging.forEach((slot) => slot.release());
    expect(slots.enter('whs_1', 'retry')).toHaveProperty('waitMs');
    await clock.advance(1_000);
    expect(slots.enter('whs_1', 'retry')).toHaveProperty('release');
  });

  it('delays no first attempt because of queued retries', async () => {
    for (let i = 0; i < 50; i++) {
      const entered = slots.enter('whs_1', 'retry');
      if ('release' in entered) entered.release();
    }
    expect(slots.enter('whs_1', 'retry')).toHaveProperty('waitMs');
    expect(slots.free('whs_1')).toHaveProperty('release');
  });

  it('leaves some slots that retries cannot use', () => {
    taken('whs_1', 2, 'retry');
    expect(slots.enter('whs_1', 'retry')).toHaveProperty('waitMs');
    expect(slots.enter('whs_1', 'first')).toHaveProperty('release');
  });

  it('allows one retry at a time to an endpoint that keeps failing', () => {
    expect(slots.enter('whs_1', 'doubtful')).toHaveProperty('release');
    expect(slots.enter('whs_1', 'doubtful')).toHaveProperty('waitMs');
    expect(slots.enter('whs_1', 'retry')).toHaveProperty('release');
  });

  it('returns longer delays for a longer queue, but at most five seconds', async () => {
    const hanging = taken('whs_1', 4);
    await clock.advance(15_000);
    hanging.forEach((slot) => slot.release());
    taken('whs_1', 4);
    const waits = Array.from({ length: 50 }, () => (slots.enter('whs_1', 'first') as { waitMs: number }).waitMs);
    expect(waits[1]).toBeGreaterThan(waits[0]!);
    expect(Math.max(...waits)).toBe(5_000);
  });

  it('returns longer delays the longer all sends hang, also for a new endpoint', async () => {
    const waitMs = () => (slots.enter('whs_1', 'first') as { waitMs: number }).waitMs;
    taken('whs_1', 4);
    const soon = waitMs();
    await clock.advance(10_000);
    expect([soon, waitMs()]).toEqual([10, 2_510]);
  });

  it('limits the rate', async () => {
    for (let i = 0; i < 100; i++) taken('whs_1', 1)[0]!.release();
    expect(slots.enter('whs_1', 'first')).toEqual({ waitMs: 1_000 });
    await clock.advance(999);
    expect(slots.enter('whs_1', 'first')).toHaveProperty('waitMs');
    await clock.advance(1);
    expect(slots.enter('whs_1', 'first')).toHaveProperty('release');
  });

  it('limits the rate to the lower rate of the owner', async () => {
    slots.limitRate('whs_1', 1);
    taken('whs_1', 1)[0]!.release();
    expect(slots.enter('whs_1', 'first')).toHaveProperty('waitMs');
    await clock.advance(999);
    expect(slots.enter('whs_1', 'first')).toHaveProperty('waitMs');
    await clock.advance(1);
    expect(slots.enter('whs_1', 'first')).toHaveProperty('release');
  });
});

describe('The next slot of a backlog', () => {
  it('is given when the rate allows it, and is not reserved before', async () => {
    slots.limitRate('whs_1', 1);
    taken('whs_1', 1)[0]!.release();
    const next = slots.next('whs_1', 'first', 2_500);
    const byHand = slots.acquire('whs_1', 1_000);
    await clock.advance(1_000);
    expect(await byHand).toHaveProperty('release');
    await clock.advance(1_000);
    expect(await next).toHaveProperty('release');
  });

  it('returns a delay when the slot would come too late', async () => {
    slots.limitRate('whs_1', 1);
    taken('whs_1', 1)[0]!.release();
    expect(await slots.next('whs_1', 'first', 900)).toEqual({ waitMs: 1_000 });
  });

  it('precedes new attempts and retries', async () => {
    const hanging = taken('whs_1', 4);
    await clock.advance(1_000);
    const next = slots.next('whs_1', 'first', 2_000);
    hanging.forEach((slot) => slot.release());
    expect(slots.free('whs_1')).toBeNull();
    expect(slots.enter('whs_1', 'retry')).toHaveProperty('waitMs');
    await clock.advance(1_000);
    expect(await next).toHaveProperty('release');
  });

  it('leaves half of the slots to first attempts when the backlog holds retries', async () => {
    taken('whs_1', 2, 'retry');
    const next = slots.next('whs_1', 'retry', 1_000);
    expect(slots.enter('whs_1', 'first')).toHaveProperty('release');
    await clock.advance(1_000);
    expect(await next).toHaveProperty('waitMs');
  });
});

describe('A caller that waits for a slot', () => {
  it('gets a slot as soon as one is free', async () => {
    const [slot] = taken('whs_1', 4);
    const waiting = slots.acquire('whs_1', 1_000);
    await clock.advance(500);
    slot!.release();
    expect(await waiting).toHaveProperty('release');
  });

  it('waits no longer than its timeout', async () => {
    taken('whs_1', 4);
    const waiting = slots.acquire('whs_1', 1_000);
    await clock.advance(1_000);
    expect(await waiting).toBeNull();
  });

  it('leaves the slot to the next caller after its timeout', async () => {
    const [slot] = taken('whs_1', 4);
    const impatient = slots.acquire('whs_1', 100);
    const patient = slots.acquire('whs_1', 1_000);
    await clock.advance(100);
    slot!.release();
    expect(await impatient).toBeNull();
    expect(await patient).toHaveProperty('release');
  });
});

describe('A first attempt', () => {
  const send = async (count: number, eachMs: number) => {
    const sent = taken('whs_1', count);
    await clock.advance(eachMs);
    sent.forEach((slot) => slot.release());
    await clock.advance(50);
  };

  it('gets a free slot at once', () => {
    taken('whs_1', 3);
    expect(slots.free('whs_1')).toHaveProperty('release');
    expect(slots.free('whs_1')).toBeNull();
  });

  it('waits briefly for an endpoint that keeps releasing slots', async () => {
    await send(4, 10);
    const [slot] = taken('whs_1', 4);
    await clock.advance(40);
    const waiting = slots.soon('whs_1');
    slot!.release();
    expect(await waiting).toHaveProperty('release');
  });

  it('does not wait for an endpoint that hangs', async () => {
    taken('whs_1', 4);
    await clock.advance(1_000);
    expect(await slots.soon('whs_1')).toBeNull();
  });

  it('does not wait for a slow endpoint', async () => {
    await send(4, 5_000);
    taken('whs_1', 4);
    await clock.advance(40);
    expect(await slots.soon('whs_1')).toBeNull();
  });

  it('does not wait when more callers wait than the endpoint serves in that time', async () => {
    await send(4, 200);
    const sending = taken('whs_1', 4);
    await clock.advance(40);
    const [first, second, third, fourth] = Array.from({ length: 4 }, () => slots.soon('whs_1'));
    expect(await fourth).toBeNull();
    sending.forEach((slot) => slot.release());
    expect(await Promise.all([first, second, third])).not.toContain(null);
  });

  it('waits briefly after a delay, and for no other queued attempt', async () => {
    await send(4, 10);
    const [slot] = taken('whs_1', 4);
    await clock.advance(40);
    slots.enter('whs_1', 'first');
    const waiting = slots.enterOrWait('whs_1');
    slot!.release();
    expect(await waiting).toHaveProperty('release');
  });

  it('waits for the rate when it returns slightly early from a delay', async () => {
    slots.limitRate('whs_1', 1);
    taken('whs_1', 1)[0]!.release();
    expect(await slots.enterOrWait('whs_1')).toEqual({ waitMs: 1_000 });
    await clock.advance(995);
    const waiting = slots.enterOrWait('whs_1');
    await clock.advance(5);
    expect(await waiting).toHaveProperty('release');
  });

  it('gets another delay from a slow endpoint', async () => {
    await send(4, 5_000);
    taken('whs_1', 4);
    expect(await slots.enterOrWait('whs_1')).toHaveProperty('waitMs');
  });

  it('queues after the delayed attempts', async () => {
    const hanging = taken('whs_1', 4);
    await clock.advance(1_000);
    slots.enter('whs_1', 'first');
    hanging.forEach((slot) => slot.release());
    expect(slots.free('whs_1')).toBeNull();
    expect(await slots.soon('whs_1')).toBeNull();
    await clock.advance(1_000);
    expect(slots.free('whs_1')).toHaveProperty('release');
  });
});
