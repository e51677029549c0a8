import { ReplayPace, type EndpointPace } from '../../../src/webhooks/sending/replay-pace.js';
import { Slots } from '../../../src/webhooks/sending/slots.js';
import { ManualClock } from '../../support/clock.js';
import { configOf } from '../config.js';

const RATES = { WEBHOOK_ENDPOINT_CONCURRENCY: '4', WEBHOOK_ENDPOINT_RATE: '100', WEBHOOK_REPLAY_RATE: '10' };

let clock: ManualClock;
let slots: Slots;
let pace: ReplayPace;

beforeEach(async () => {
  clock = new ManualClock();
  const config = await configOf(RATES);
  slots = new Slots(config, clock);
  pace = new ReplayPace(slots, clock, config);
});

/** Counts the slots that a batch acquires within a time; releases each at once. */
async function sendsWithin(ms: number, lane: EndpointPace): Promise<number> {
  let sends = 0;
  const until = clock.monotonic() + ms;
  const lasting = (async () => {
    for (let slot = await lane.slot(until); slot !== null; slot = await lane.slot(until)) {
      sends++;
      slot.release();
    }
  })();
  await clock.advance(ms);
  await lasting;
  return sends;
}

describe('The replay throttle', () => {
  it.each([
    ['limits an endpoint to the configured rate', null, 10],
    ['limits an endpoint to the rate of its owner when that is lower', 4, 4],
    ['limits an endpoint to the configured rate when its owner allows more', 50, 10],
  ])('%s', async (_, own, perSecond) => {
    const sends = await sendsWithin(10_000, pace.ofEndpoint('whs_1', own));
    expect(sends).toBeGreaterThanOrEqual(9.5 * perSecond);
    expect(sends).toBeLessThanOrEqual(10 * perSecond + 1);
  });

  it('leaves half of the slots to live deliveries', async () => {
    const lane = pace.ofEndpoint('whs_1', null);
    const got = [];
    for (let i = 0; i < 3; i++) {
      const asked = lane.slot(clock.monotonic() + 1_000);
      await clock.advance(1_000);
      got.push(await asked);
    }
    expect(got).toEqual([{ release: expect.any(Function) }, { release: expect.any(Function) }, null]);
    expect(slots.free('whs_1')).not.toBeNull();
  });

  it('applies one limit to all batches together', async () => {
    let steps = 0;
    const stepping = Array.from({ length: 1_000 }, () => pace.step().then(() => steps++));
    await clock.advance(1_000);
    expect(steps).toBeGreaterThanOrEqual(240);
    expect(steps).toBeLessThanOrEqual(260);
    await clock.advance(10_000);
    await Promise.all(stepping);
  });

  it('lets other batches continue while the endpoint of one batch has no slot', async () => {
    for (let i = 0; i < 2; i++) slots.enter('whs_1', 'job');
    const hanging = Array.from({ length: 50 }, () => pace.ofEndpoint('whs_1', null).slot(clock.monotonic() + 1_000));
    expect(await sendsWithin(1_000, pace.ofEndpoint('whs_2', null))).toBeGreaterThanOrEqual(9);
    expect(await Promise.all(hanging)).toEqual(hanging.map(() => null));
  });
});
