/**
 * Delays every projection and reactor by up to `TEST_DELAY_MS`, so that a test fails when it reads something that no
 * response waits for. A simulated clock has no such delays.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { EventConsumer } from '../../src/engine/consumers/event-consumer.js';
import { Projector } from '../../src/engine/projections/projector.js';
import { ReactorConsumer } from '../../src/engine/reactors/reactor-consumer.js';
import { SystemClock } from '../../src/kernel/clock.js';

const MAX_DELAY_MS = Number(process.env.TEST_DELAY_MS);

for (const prototype of [Projector.prototype, ReactorConsumer.prototype] as EventConsumer[]) {
  const handle = Reflect.get(prototype, 'handle');
  prototype.handle = async function (this: EventConsumer & { readonly clock: unknown }, ...page) {
    if (this.clock instanceof SystemClock) await delay(Math.random() * MAX_DELAY_MS);
    return handle.apply(this, page);
  };
}
