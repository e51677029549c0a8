import { fold } from '../../../src/kernel/decider.js';
import { coinsAdded, createContext, jar, type JarEvent } from '../../support/jar.js';
import { runBefore } from '../../support/memory/faulty-event-store.js';
import { addCoins, BREAK_JAR, createStreamsFixture, readCoins } from '../../support/streams-fixture.js';

describe('A command against a stream', () => {
  it('records the event with its actor and its cause', async () => {
    const { store, run } = createStreamsFixture();
    const context = createContext('first');
    const { state, loadHistory, recorded, repeated } = await run(addCoins(5), 'first', context);

    expect(state).toEqual({ coins: 5, broken: false });
    expect(store.log).toEqual(recorded);
    expect(await loadHistory()).toEqual(recorded);
    expect(repeated).toBe(false);
    expect(store.log[0]).toMatchObject({
      stream: 'jar-a',
      revision: 0,
      type: 'CoinsAdded',
      meta: {
        command: 'AddCoins',
        commandId: context.commandId,
        business: 'biz_1',
        mode: 'test',
        at: '2026-02-01T09:00:00.000Z',
        v: 1,
      },
    });
    expect(context.consistency.position).toBe(store.log[0]!.position);
  });

  it('records no event when the decider refuses', async () => {
    const { store, run } = createStreamsFixture();
    await run(BREAK_JAR, 'break');
    await expect(run(addCoins(1), 'late')).rejects.toMatchObject({ code: 'operation_refused' });
    expect(store.log).toHaveLength(1);
  });

  it('records no event for a silent decision, and returns the state', async () => {
    const { store, run } = createStreamsFixture();
    await run(BREAK_JAR, 'break');
    const { state, recorded, loadHistory } = await run(BREAK_JAR, 'again');
    expect(state.broken).toBe(true);
    expect(recorded).toEqual([]);
    expect(await loadHistory()).toHaveLength(1);
    expect(store.log).toHaveLength(1);
  });

  it('returns its outcome again when its id is repeated', async () => {
    const { store, run } = createStreamsFixture();
    const first = await run(addCoins(5, 2), 'once');
    const again = await run(addCoins(5, 2), 'once');
    expect(again).toMatchObject({ state: first.state, repeated: true, recorded: [] });
    expect(idsOf(await again.loadHistory())).toEqual(idsOf(await first.loadHistory()));
    expect(store.log).toHaveLength(2);
  });

  it('returns the state at its own revision when it is resumed after events of others', async () => {
    const { store, run } = createStreamsFixture();
    await run(addCoins(1), 'first');
    const mine = await run(addCoins(2), 'mine');
    await run(addCoins(4), 'other');
    await run(BREAK_JAR, 'break');

    const resumed = await run(addCoins(2), 'mine');
    expect(resumed.state).toEqual(mine.state);
    expect(await resumed.loadHistory()).toEqual(store.log.slice(0, 2));
    expect(resumed.position).toBe(store.log[1]!.position);
  });

  it('generates the same ids in every run', async () => {
    const ids = async (seed: number) => {
      const { run, store } = createStreamsFixture(seed);
      await run(addCoins(1, 2), 'same');
      return store.log.map(({ data }) => (data as { coinId: string }).coinId);
    };
    expect(await ids(1)).toEqual(await ids(2));
    expect(new Set(await ids(1)).size).toBe(2);
  });
});

describe('A command with a conflict', () => {
  it('is decided again on the recorded events', async () => {
    const { store, run } = createStreamsFixture();
    store.faults.push(runBefore(() => store.append('jar-a', 'none', [coinsAdded('a', 'other', 10)])));
    const { state } = await run(addCoins(1), 'mine');
    expect(state.coins).toBe(11);
    expect(readCoins(store)).toEqual([10, 1]);
  });

  it('is refused when the other event breaks its condition', async () => {
    const { store, run, process } = createStreamsFixture();
    store.faults.push(runBefore(() => process(2).run(BREAK_JAR, 'break')));
    await expect(run(addCoins(1), 'mine')).rejects.toMatchObject({ code: 'operation_refused' });
    expect(store.log.map(({ type }) => type)).toEqual(['JarBroken']);
  });

  it('fails with concurrent_update after five decisions', async () => {
    const { store, run } = createStreamsFixture();
    let others = 0;
    const faster = runBefore(() =>
      store.append('jar-a', others === 0 ? 'none' : others - 1, [coinsAdded('a', `other ${others++}`)]),
    );
    for (let i = 0; i < 5; i++) store.faults.push(faster, (write) => write());
    await expect(run(addCoins(100), 'mine')).rejects.toMatchObject({ code: 'concurrent_update' });
    expect(readCoins(store)).toEqual([1, 1, 1, 1, 1]);
  });

  it('is recognised as recorded when another process runs the same command', async () => {
    const { store, run, process } = createStreamsFixture();
    store.faults.push(runBefore(() => process(2).run(addCoins(7), 'same')));
    const { repeated, state } = await run(addCoins(7), 'same');
    expect(repeated).toBe(true);
    expect(state.coins).toBe(7);
    expect(store.log).toHaveLength(1);
  });
});

describe('Many commands against one stream', () => {
  it('run sequentially, so that none needs a second decision', async () => {
    const { store, run } = createStreamsFixture();
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, i) => run(addCoins(1), `command ${i}`)));
    expect(outcomes.map(({ state }) => state.coins)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect(store.requestedAppends).toHaveLength(50);
    expect(store.log.map(({ revision }) => revision)).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  it('continue when one of them is refused', async () => {
    const { run } = createStreamsFixture();
    const outcomes = await Promise.allSettled([
      run(addCoins(1), 'a'),
      run(BREAK_JAR, 'b'),
      run(addCoins(1), 'c'),
      run(BREAK_JAR, 'd'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });

  it('return the state and the history of a stream of more than 200 events', async () => {
    const { store, run, streams } = createStreamsFixture();
    for (let i = 0; i < 230; i++) await run(addCoins(1), `command ${i}`);
    expect(await streams.loadState(jar, 'a')).toEqual({ coins: 230, broken: false });
    expect(await streams.loadHistory(jar, 'a')).toEqual(store.log);
    expect((await run(addCoins(1), 'command 203')).state.coins).toBe(204);
    expect(await (await run(addCoins(1), 'one more')).loadHistory()).toHaveLength(231);
  });
});

describe('The loaded state of a stream', () => {
  it('equals the log of every writer', async () => {
    const { store, run, streams, process } = createStreamsFixture();
    await run(addCoins(1), 'mine');
    await process(2).run(addCoins(2, 3), 'theirs');
    await run(addCoins(5, 2), 'two at once');
    expect(await streams.loadState(jar, 'a')).toEqual({ coins: 17, broken: false });
    expect(await streams.loadHistory(jar, 'a')).toEqual(store.log);
    expect(fold(jar, store.log as unknown as JarEvent[])).toEqual(await streams.loadState(jar, 'a'));
  });

  it('is empty for a stream that does not exist', async () => {
    const { streams } = createStreamsFixture();
    expect(await streams.loadState(jar, 'b')).toEqual(jar.initial);
    expect(await streams.loadHistory(jar, 'b')).toEqual([]);
  });
});

function idsOf(history: readonly { readonly id: string }[]): string[] {
  return history.map(({ id }) => id);
}
