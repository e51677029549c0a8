import type { FaultyEventStore } from '../../support/memory/faulty-event-store.js';
import { addCoins, BREAK_JAR, createStreamsFixture, readCoins } from '../../support/streams-fixture.js';

describe('A command on a cached stream', () => {
  it('is appended without a read, to a new stream and to a known one', async () => {
    const { store, run } = createStreamsFixture();
    const reads = readsOf(store);
    await run(addCoins(1), 'first');
    const { state, loadHistory } = await run(addCoins(2), 'second');

    expect(reads).toEqual([]);
    expect(state.coins).toBe(3);
    expect(await loadHistory()).toEqual(store.log);
  });

  it('is decided again at once when the stream has changed', async () => {
    const { store, run, process } = createStreamsFixture();
    await run(addCoins(1), 'mine');
    await process(2).run(addCoins(2), 'theirs');

    expect((await run(addCoins(4), 'mine again')).state.coins).toBe(7);
    expect(store.requestedAppends.map(({ expected }) => expected)).toEqual(['none', 'none', 0, 0, 1]);
    expect(readCoins(store)).toEqual([1, 2, 4]);
  });

  it('is never refused, silent or repeated on cached state alone', async () => {
    const { store, run, process } = createStreamsFixture();
    await run(addCoins(1), 'mine');
    await process(2).run(BREAK_JAR, 'theirs');
    const reads = readsOf(store);

    expect((await run(BREAK_JAR, 'mine too')).recorded).toEqual([]);
    await expect(run(addCoins(1), 'late')).rejects.toMatchObject({ code: 'operation_refused' });
    expect((await run(addCoins(1), 'mine')).repeated).toBe(true);
    expect(reads).toEqual([1, 2, 2]);
  });

  it('reads the stream first after an append of several events without exact positions', async () => {
    const { store, run } = createStreamsFixture();
    await run(addCoins(1, 3), 'three');
    const reads = readsOf(store);
    const { loadHistory } = await run(addCoins(1), 'one more');

    expect(reads).toEqual([0]);
    expect(await loadHistory()).toEqual(store.log);
    expect(store.requestedAppends).toHaveLength(2);
  });

  it('needs no read after an append when the store returns the position of each event', async () => {
    const { store, run } = createStreamsFixture();
    returnPositions(store);
    await run(addCoins(1, 3), 'three');
    const reads = readsOf(store);
    const { loadHistory } = await run(addCoins(1), 'one more');

    expect(reads).toEqual([]);
    expect(await loadHistory()).toEqual(store.log);
  });
});

function returnPositions(store: FaultyEventStore): void {
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
