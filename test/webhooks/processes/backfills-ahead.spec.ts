import type { RecordedEvent } from '../../../src/kernel/event.js';
import { readTestConfig } from '../test-config.js';
import { BackfillWorld } from './backfill-world.js';

/** The most attempts that wait, and the most that are sent before the count. */
const [MAX_AHEAD, SENT] = [200, 25];
/** Longer than the planning of the attempts that may wait. */
const PLANNED_MS = 20_000;
const EVENTS = 400;

function isPlanned({ type }: RecordedEvent): boolean {
  return type === 'DeliveryChainPlanned';
}

it('plans no more attempts ahead of a slow receiver than a cancellation may drop', async () => {
  const world = new BackfillWorld(await readTestConfig({ WEBHOOK_REPLAY_RATE: '1' }), 1);
  await world.start();
  for (let i = 0; i < EVENTS; i++) await world.publish('product.approved');
  const job = await world.backfill(await world.createEndpoint(['*']));
  await world.clock.advance(PLANNED_MS);
  const planned = world.events.log.filter(isPlanned).length;
  expect(planned).toBeGreaterThanOrEqual(MAX_AHEAD - SENT);
  expect(planned).toBeLessThanOrEqual(MAX_AHEAD + SENT);

  await world.cancel(job);
  await world.clock.advance(60_000);
  expect(await world.statusOf(job)).toBe('cancelled');
  expect(world.events.log.filter(isPlanned).length).toBeLessThanOrEqual(MAX_AHEAD + SENT);
  await world.stop();
}, 60_000);
