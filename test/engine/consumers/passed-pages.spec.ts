import { CheckpointWriter } from '../../../src/engine/consumers/checkpoint-writer.js';
import { ConsumerRunner } from '../../../src/engine/consumers/consumer-runner.js';
import { type EventConsumer, type EventTypes, haveNoneInCommon } from '../../../src/engine/consumers/event-consumer.js';
import { Follower, PAGE_EVENTS } from '../../../src/engine/consumers/follower.js';
import { Waiters } from '../../../src/engine/consumers/waiters.js';
import type { NewEvent } from '../../../src/kernel/event.js';
import { ManualClock, SeededRandom, waitUntilIdle } from '../../support/clock.js';
import { coinsAdded, jarBroken } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';
import { MemoryReadModels, toPorts } from '../../support/memory/read-models.js';

/** Handles broken jars, one page when the test allows it. */
class SlowConsumer implements EventConsumer {
  readonly name = 'broken jars';
  readonly work = { kind: 'projection', name: 'broken jars' } as const;
  readonly failing = null;
  readonly handled: (readonly string[])[] = [];
  finish = () => {};

  constructor(readonly collectMs?: number) {}

  ignores(types: EventTypes): boolean {
    return haveNoneInCommon(types, new Set(['JarBroken']));
  }

  async handle(events: readonly { readonly type: string }[]): Promise<boolean> {
    this.handled.push(events.map(({ type }) => type));
    await new Promise<void>((resolve) => (this.finish = resolve));
    return true;
  }
}

function createRunner(collectMs?: number) {
  const clock = new ManualClock();
  const random = new SeededRandom();
  const store = new MemoryEventStore(clock);
  const { checkpoints } = toPorts(new MemoryReadModels(clock));
  const follower = new Follower(store, clock, random);
  const checkpointWriter = new CheckpointWriter(checkpoints, clock, random);
  const waiters = new Waiters(checkpoints, clock);
  const consumer = new SlowConsumer(collectMs);
  const runner = new ConsumerRunner(consumer, { checkpoints, clock, random, follower, checkpointWriter, waiters });
  const stopping = new AbortController();
  const running = [runner.run(stopping.signal), follower.run('', stopping.signal)];
  const append = async (event: NewEvent) => {
    const { position } = await store.append(`jar-${event.id}`, 'none', [event]);
    await waitUntilIdle();
    return position;
  };
  const stop = async () => {
    stopping.abort();
    consumer.finish();
    await Promise.all(running);
  };
  return { runner, consumer, clock, waiters, append, stop };
}

describe('A page without events for a consumer', () => {
  it('moves the position of a waiting runner without a call of the consumer', async () => {
    const { runner, consumer, append, stop } = createRunner();
    const position = await append(coinsAdded('a', '1'));

    expect(runner.position).toBe(position);
    expect(runner.passed).toBe(1);
    expect(consumer.handled).toEqual([]);
    await stop();
  });

  it('does not overtake an earlier page that the consumer handles', async () => {
    const { runner, consumer, append, stop } = createRunner();
    const before = await append(coinsAdded('a', '1'));
    await append(jarBroken('a'));
    const last = await append(coinsAdded('b', '1'));
    expect(runner.position).toBe(before);

    consumer.finish();
    await waitUntilIdle();
    consumer.finish();
    await waitUntilIdle();
    expect(runner.position).toBe(last);
    expect(consumer.handled[0]).toEqual(['JarBroken']);
    await stop();
  });
});

describe('A consumer that collects events', () => {
  it('handles the pages of that time together', async () => {
    const { consumer, clock, append, stop } = createRunner(100);
    await waitUntilIdle();
    await append(jarBroken('a'));
    await clock.advance(99);
    await append(jarBroken('b'));
    expect(consumer.handled).toEqual([]);

    await clock.advance(1);
    expect(consumer.handled).toEqual([['JarBroken', 'JarBroken']]);
    await stop();
  });

  it('handles the events at once when a read waits for them, or begins to wait', async () => {
    const { runner, consumer, waiters, append, stop } = createRunner(100);
    await waitUntilIdle();
    const first = await append(jarBroken('a'));
    const reading = waiters.waitUntil(runner.name, first, 1_500);
    await waitUntilIdle();
    expect(consumer.handled).toHaveLength(1);

    const next = waiters.waitUntil(runner.name, `${first}1`, 1_500);
    await append(jarBroken('b'));
    consumer.finish();
    expect(await reading).toBe(true);
    await waitUntilIdle();
    expect(consumer.handled).toHaveLength(2);
    consumer.finish();
    await next;
    await stop();
  });

  it('handles a full page at once', async () => {
    const { consumer, append, stop } = createRunner(100);
    await waitUntilIdle();
    for (let n = 1; n < PAGE_EVENTS; n++) await append(jarBroken(`jar ${n}`));
    expect(consumer.handled).toEqual([]);

    await append(jarBroken('last'));
    expect(consumer.handled.map((types) => types.length)).toEqual([PAGE_EVENTS]);
    await stop();
  });
});
