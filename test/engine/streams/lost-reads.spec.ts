import { StreamCache } from '../../../src/engine/streams/stream-cache.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { EagerClock } from '../../support/clock.js';
import { jar } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';

/** A store whose next reads fail, each after the given number of milliseconds. */
class ForgetfulEventStore extends MemoryEventStore {
  reads = 0;

  constructor(
    private readonly time: EagerClock,
    private readonly failures: number[],
  ) {
    super(time);
  }

  override async *readStream(stream: string): AsyncIterable<RecordedEvent> {
    this.reads++;
    const failsAfter = this.failures.shift();
    if (failsAfter === undefined) return yield* super.readStream(stream);
    await this.time.sleep(failsAfter);
    throw new StoreUnavailable('the connection was lost', false);
  }
}

function memory(...failures: number[]) {
  const clock = new EagerClock();
  const store = new ForgetfulEventStore(clock, failures);
  return { store, load: () => new StreamCache(store, clock, null).load(jar, 'jar-a') };
}

describe('A read of a stream', () => {
  it('is repeated when it fails quickly, as on a connection that was just lost', async () => {
    const { store, load } = memory(10);
    expect(await load()).toMatchObject({ revision: -1 });
    expect(store.reads).toBe(2);
  });

  it.each([
    ['when it fails again', [10, 10], 2],
    ['when it fails after a long time', [5_000], 1],
  ])('fails for its caller %s', async (_, failures, reads) => {
    const { store, load } = memory(...failures);
    await expect(load()).rejects.toThrow('the connection was lost');
    expect(store.reads).toBe(reads);
  });
});
