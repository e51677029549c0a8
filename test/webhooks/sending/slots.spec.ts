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

describe('The slots of an endpoint', () => {
  it('are limited, and put off whoever finds none', () => {
    taken('whs_1', 4);
    expect(slots.enter('whs_1', 'first')).toEqual({ waitMs: expect.any(Number) });
  });

  it('are its own', () => {
    taken('whs_1', 4);
    expect(slots.enter('whs_2', 'first')).toHaveProperty('release');
  });

  it('are free again', async () => {
    const [slot] = taken('whs_1', 4);
    await clock.advance(100);
    slot!.release();
    expect(slots.enter('whs_1', 'first')).toHaveProperty('release');
  });

  it('are given to whoever waits for one as fast as the rate allows, and no faster', async () => {
    for (let i = 0; i < 100; i++) (await slots.acquire('whs_1', 0))!.release();
    expect(await slots.acquire('whs_1', 999)).toBeNull();
    const waiting = slots.acquire('whs_1', 1_000);
    await clock.advance(1_000);
    expect(await waiting).toHaveProperty('release');
  });

  it('are not asked for by retries while a first attempt waits', async () => {
    const hanging = taken('whs_1', 4);
    await clock.advance(1_000);
    slots.enter('whs_1', 'first');
    hanging.forEach((slot) => slot.release());
    expect(slots.enter('whs_1', 'retry')).toHaveProperty('waitMs');
    await clock.advance(1_000);
    expect(slots.enter('whs_1', 'retry')).toHaveProperty('release');
  });

  it('put off no first attempt for any number of retries', async () => {
    for (let i = 0; i < 50; i++) {
      const entered = slots.enter('whs_1', 'retry');
      if ('release' in entered) entered.release();
    }
    expect(slots.enter('whs_1', 'retry')).toHaveProperty('waitMs');
    expect(slots.free('whs_1')).toHaveProperty('release');
  });

  it('are not all for retries', () => {
    taken('whs_1', 2, 'retry');
    expect(slots.enter('whs_1', 'retry')).toHaveProperty('waitMs');
    expect(slots.enter('whs_1', 'first')).toHaveProperty('release');
  });

  it('are one at a time for retries to an endpoint that keeps failing', () => {
    expect(slots.enter('whs_1', 'doubtful')).toHaveProperty('release');
    expect(slots.enter('whs_1', 'doubtful')).toHaveProperty('waitMs');
    expect(slots.enter('whs_1', 'retry')).toHaveProperty('release');
  });

  it('put off the later the longer the line is, and never for more than five seconds', async () => {
    const hanging = taken('whs_1', 4);
    await clock.advance(15_000);
    hanging.forEach((slot) => slot.release());
    taken('whs_1', 4);
    const waits = Array.from({ length: 50 }, () => (slots.enter('whs_1', 'first') as { waitMs: number }).waitMs);
    expect(waits[1]).toBeGreaterThan(waits[0]!);
    expect(Math.max(...waits)).toBe(5_000);
  });

  it('put off the longer the longer all of them hang, be it for the first time', async () => {
    const waitMs = () => (slots.enter('whs_1', 'first') as { waitMs: number }).waitMs;
    taken('whs_1', 4);
    const soon = waitMs();
    await clock.advance(10_000);
    expect([soon, waitMs()]).toEqual([10, 2_510]);
  });

  it('keep to the rate', async () => {
    for (let i = 0; i < 100; i++) taken('whs_1', 1)[0]!.release();
    expect(slots.enter('whs_1', 'first')).toEqual({ waitMs: 1_000 });
    await clock.advance(999);
    expect(slots.enter('whs_1', 'first')).toHaveProperty('waitMs');
    await clock.advance(1);
    expect(slots.enter('whs_1', 'first')).toHaveProperty('release');
  });

  it('keep to the lower rate that its owner asks for', async () => {
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
  it('is given when the rate allows it, and reserves none before', async () => {
    slots.limitRate('whs_1', 1);
    taken('whs_1', 1)[0]!.release();
    const next = slots.next('whs_1', 'first', 2_500);
    const byHand = slots.acquire('whs_1', 1_000);
    await clock.advance(1_000);
    expect(await byHand).toHaveProperty('release');
    await clock.advance(1_000);
    expect(await next).toHaveProperty('release');
  });

  it('is not waited for when it comes too late', async () => {
    slots.limitRate('whs_1', 1);
    taken('whs_1', 1)[0]!.release();
    expect(await slots.next('whs_1', 'first', 900)).toEqual({ waitMs: 1_000 });
  });

  it('comes before newcomers and retries', async () => {
    const hanging = taken('whs_1', 4);
    await clock.advance(1_000);
    const next = slots.next('whs_1', 'first', 2_000);
    hanging.forEach((slot) => slot.release());
    expect(slots.free('whs_1')).toBeNull();
    expect(slots.enter('whs_1', 'retry')).toHaveProperty('waitMs');
    await clock.advance(1_000);
    expect(await next).toHaveProperty('release');
  });

  it('leaves half of the slots to first attempts when it is for retries', async () => {
    taken('whs_1', 2, 'retry');
    const next = slots.next('whs_1', 'retry', 1_000);
    expect(slots.enter('whs_1', 'first')).toHaveProperty('release');
    await clock.advance(1_000);
    expect(await next).toHaveProperty('waitMs');
  });
});

describe('Who waits for a slot', () => {
  it('has it as soon as one is free', async () => {
    const [slot] = taken('whs_1', 4);
    const waiting = slots.acquire('whs_1', 1_000);
    await clock.advance(500);
    slot!.release();
    expect(await waiting).toHaveProperty('release');
  });

  it('waits only so long', async () => {
    taken('whs_1', 4);
    const waiting = slots.acquire('whs_1', 1_000);
    await clock.advance(1_000);
    expect(await waiting).toBeNull();
  });

  it('leaves the slot to the next when it waits no more', async () => {
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

  it('has a free slot at once', () => {
    taken('whs_1', 3);
    expect(slots.free('whs_1')).toHaveProperty('release');
    expect(slots.free('whs_1')).toBeNull();
  });

  it('waits a moment for an endpoint that frees one slot after another', async () => {
    await send(4, 10);
    const [slot] = taken('whs_1', 4);
    await clock.advance(40);
    const waiting = slots.soon('whs_1');
    slot!.release();
    expect(await waiting).toHaveProperty('release');
  });

  it('does not wait for an endpoint that is silent', async () => {
    taken('whs_1', 4);
    await clock.advance(1_000);
    expect(await slots.soon('whs_1')).toBeNull();
  });

  it('does not wait for an endpoint that takes long', async () => {
    await send(4, 5_000);
    taken('whs_1', 4);
    await clock.advance(40);
    expect(await slots.soon('whs_1')).toBeNull();
  });

  it('does not wait behind more than are served in that time', async () => {
    await send(4, 200);
    const sending = taken('whs_1', 4);
    await clock.advance(40);
    const [first, second, third, fourth] = Array.from({ length: 4 }, () => slots.soon('whs_1'));
    expect(await fourth).toBeNull();
    sending.forEach((slot) => slot.release());
    expect(await Promise.all([first, second, third])).not.toContain(null);
  });

  it('that was put off before waits a moment too, and for nobody else in line', async () => {
    await send(4, 10);
    const [slot] = taken('whs_1', 4);
    await clock.advance(40);
    slots.enter('whs_1', 'first');
    const waiting = slots.enterOrWait('whs_1');
    slot!.release();
    expect(await waiting).toHaveProperty('release');
  });

  it('that was put off before, and comes a little too early, waits for the rate', async () => {
    slots.limitRate('whs_1', 1);
    taken('whs_1', 1)[0]!.release();
    expect(await slots.enterOrWait('whs_1')).toEqual({ waitMs: 1_000 });
    await clock.advance(995);
    const waiting = slots.enterOrWait('whs_1');
    await clock.advance(5);
    expect(await waiting).toHaveProperty('release');
  });

  it('that was put off before is put off again by an endpoint that takes long', async () => {
    await send(4, 5_000);
    taken('whs_1', 4);
    expect(await slots.enterOrWait('whs_1')).toHaveProperty('waitMs');
  });

  it('takes its place behind those that were put off', async () => {
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
