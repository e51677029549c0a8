import type { RecordedOf } from '../../../src/kernel/event.js';
import type { DeliveryChainEvent } from '../../../src/webhooks/domain/delivery-chain/facts.js';
import { readTestConfig } from '../test-config.js';
import { BackfillWorld } from './backfill-world.js';

const EVENTS = 150;
const RATE = 20;
const WINDOW_MS = 500;

/** Returns the largest number of times within a window. */
function findDensest(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + WINDOW_MS).length));
}

describe('A backfill', () => {
  it('plans its deliveries as evenly as it sends them, so that no burst delays new events', async () => {
    const world = new BackfillWorld(await readTestConfig({ WEBHOOK_REPLAY_RATE: String(RATE) }), 1);
    await world.start();
    for (let n = 0; n < EVENTS; n++) await world.publish('offer.sent');
    await world.clock.advance(5_000);
    const job = await world.backfill(await world.createEndpoint(['offer.*']));
    for (let s = 0; s < 20 && (await world.statusOf(job)) !== 'completed'; s++) await world.clock.advance(1_000);

    const log = world.events.log as readonly RecordedOf<DeliveryChainEvent>[];
    const timesOf = (type: string) => log.filter((event) => event.type === type).map(({ meta }) => Date.parse(meta.at));
    expect(await world.statusOf(job)).toBe('completed');
    expect(timesOf('DeliveryChainPlanned')).toHaveLength(EVENTS);
    expect(findDensest(timesOf('DeliveryChainPlanned'))).toBeLessThanOrEqual((3 * RATE * WINDOW_MS) / 1_000);
    expect(findDensest(timesOf('AttemptStarted'))).toBeGreaterThan((0.7 * RATE * WINDOW_MS) / 1_000);
    await world.stop();
  });
});
