import { EndpointLimiter } from '../../../src/webhooks/delivery/endpoint-limiter.js';
import { type EndpointThrottle, ReplayThrottle } from '../../../src/webhooks/delivery/replay-throttle.js';
import { ManualClock } from '../../support/clock.js';
import { readTestConfig } from '../test-config.js';

const RATES = { WEBHOOK_ENDPOINT_CONCURRENCY: '4', WEBHOOK_ENDPOINT_RATE: '100', WEBHOOK_REPLAY_RATE: '10' };

let clock: ManualClock;
let limiter: EndpointLimiter;
let throttle: ReplayThrottle;

beforeEach(async () => {
  clock = new ManualClock();
  const config = await readTestConfig(RATES);
  limiter = new EndpointLimiter(config, clock);
  throttle = new ReplayThrottle(limiter, clock, config);
});

/** Counts the slots that a batch acquires within a time; releases each at once. */
async function countSends(ms: number, throttle: EndpointThrottle): Promise<number> {
  let sends = 0;
  const until = clock.monotonic() + ms;
  const isRunning = (async () => {
    for (let slot = await throttle.acquireSlot(until); slot !== null; slot = await throttle.acquireSlot(until)) {
      sends++;
      slot.release();
    }
  })();
  await clock.advance(ms);
  await isRunning;
  return sends;
}

describe('The replay throttle', () => {
  it.each([
    ['limits an endpoint to the configured rate', null, 10],
    ['limits an endpoint to the rate of its owner when that is lower', 4, 4],
    ['limits an endpoint to the configured rate when its owner allows more', 50, 10],
  ])('%s', async (_, own, perSecond) => {
    const sends = await countSends(10_000, throttle.forEndpoint('whs_1', own));
    expect(sends).toBeGreaterThanOrEqual(9.5 * perSecond);
    expect(sends).toBeLessThanOrEqual(10 * perSecond + 1);
  });

  it('leaves half of the slots to live deliveries', async () => {
    const endpoint = throttle.forEndpoint('whs_1', null);
    const got = [];
    for (let i = 0; i < 3; i++) {
      const asked = endpoint.acquireSlot(clock.monotonic() + 1_000);
      await clock.advance(1_000);
      got.push(await asked);
    }
    expect(got).toEqual([{ release: expect.any(Function) }, { release: expect.any(Function) }, null]);
    expect(limiter.tryAcquire('whs_1')).not.toBeNull();
  });

  it('applies one limit to all batches together', async () => {
    let steps = 0;
    const stepping = Array.from({ length: 1_000 }, () => throttle.waitForStep().then(() => steps++));
    await clock.advance(1_000);
    expect(steps).toBeGreaterThanOrEqual(240);
    expect(steps).toBeLessThanOrEqual(260);
    await clock.advance(10_000);
    await Promise.all(stepping);
  });

  it('lets other batches continue while the endpoint of one batch has no slot', async () => {
    for (let i = 0; i < 2; i++) limiter.tryAcquireOrDelay('whs_1', 'job');
    const hanging = Array.from({ length: 50 }, () =>
      throttle.forEndpoint('whs_1', null).acquireSlot(clock.monotonic() + 1_000),
    );
    expect(await countSends(1_000, throttle.forEndpoint('whs_2', null))).toBeGreaterThanOrEqual(9);
    expect(await Promise.all(hanging)).toEqual(hanging.map(() => null));
  });
});
