import type { FaultyEventStore } from '../../support/memory/faulty-event-store.js';
import { add, breakIt, coinsIn, house } from '../../support/streams.js';

describe('A command on a cached stream', () => {
  it('is appended without a read, to a new stream and to a known one', async () => {
    const { store, run } = house();
    const reads = readsOf(store);
    await run(add(1), 'first');
    const { state, history } = await run(add(2), 'second');

    expect(reads).toEqual([]);
    expect(state.coins).toBe(3);
    expect(await history()).toEqual(store.log);
  });

  it('is decided again at once when the stream has changed', async () => {
    const { store, run, process } = house();
    await run(add(1), 'mine');
    await process(2).run(add(2), 'theirs');

    expect((await run(add(4), 'mine again')).state.coins).toBe(7);
    expect(store.asked.map(({ expected }) => expected)).toEqual(['none', 'none', 0, 0, 1]);
    expect(coinsIn(store)).toEqual([1, 2, 4]);
  });

  it('is never refused, silent or repeated on cached state alone', async () => {
    const { store, run, process } = house();
    await run(add(1), 'mine');
    await process(2).run(breakIt, 'theirs');
    const reads = readsOf(store);

    expect((await run(breakIt, 'mine too')).recorded).toEqual([]);
    await expect(run(add(1), 'late')).rejects.toMatchObject({ code: 'jar_broken' });
    expect((await run(add(1), 'mine')).repeated).toBe(true);
    expect(reads).toEqual([1, 2, 2]);
  });

  it('reads the stream first after an append of several events without exact positions', async () => {
    const { store, run } = house();
    await run(add(1, 3), 'three');
    const reads = readsOf(store);
    const { history } = await run(add(1), 'one more');

    expect(reads).toEqual([0]);
    expect(await history()).toEqual(store.log);
    expect(store.asked).toHaveLength(2);
  });

  it('needs no read after an append when the store returns the position of each event', async () => {
    const { store, run } = house();
    tellPositions(store);
    await run(add(1, 3), 'three');
    const reads = readsOf(store);
    const { history } = await run(add(1), 'one more');

    expect(reads).toEqual([]);
    expect(await history()).toEqual(store.log);
  });
});

function tellPositions(store: FaultyEventStore): void {
  const append = store.append.bind(store);
  store.append = async (stream, expected, events) => {
    const appended = await append(stream, expected, events);
    return { ...appended, positions: store.log.slice(-events.length).map(({ position }) => position) };
  };
}

/** Records the start revisions of store reads from now on. */
function readsOf(store: FaultyEventStore): (number | undefined)[] {
  const reads: (number | undefined)[] = [];
  const read = store.readStream.bind(store);
  store.readStream = (stream, options) => {
    reads.push(options?.from);
    return read(stream, options);
  };
  return reads;
}
