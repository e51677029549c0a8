/**
 * Delays every page of a projection and every reaction by up to `TEST_DELAY_MS`, so that a test fails when it reads
 * something that no response waits for. A simulated clock has no such delays.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Projector } from '../../src/engine/projections/projector.js';
import { ReactorConsumer } from '../../src/engine/reactors/reactor-consumer.js';
import { SystemClock } from '../../src/kernel/clock.js';

const MAX_DELAY_MS = Number(process.env.TEST_DELAY_MS);

type Method = (this: object, ...values: unknown[]) => Promise<unknown>;

delayMethod(Projector.prototype, 'handle');
// The reactions to one stream stay in order.
delayMethod(ReactorConsumer.prototype, 'react');

function delayMethod(prototype: object, name: string): void {
  const method = Reflect.get(prototype, name) as Method;
  const delayed: Method = async function (...values) {
    if (Reflect.get(this, 'clock') instanceof SystemClock) await delay(Math.random() * MAX_DELAY_MS);
    return method.apply(this, values);
  };
  Reflect.set(prototype, name, delayed);
}
