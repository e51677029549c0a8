import { once } from 'node:events';
import { eachCluster } from './client.js';
import type { ClusterNode } from './node.js';
import { QUICK_TIMES } from './times.js';

/** Every phase lasts long enough for a client to observe it, even on a busy machine. */
const TIMES = { ...QUICK_TIMES, silenceMs: 100, electionMs: 600, beliefMs: 1_000, resignMs: 5_000 };

describe('An EventStoreDB leader that continues after a pause longer than an election', () => {
  const test = eachCluster(TIMES);
  let first: ClusterNode;
  let second: ClusterNode;
  beforeEach(async () => {
    first = await test.cluster.led();
    await test.client(first.connection).append('notes', -1, 'one');
    test.cluster.pause(first);
    second = await test.cluster.led(first);
    await test.client(second.connection).append('notes', 0, 'two');
    await test.client(second.connection).append('others', -1, 'first');
  });

  it('answers reads, including those received while paused, from a log without the newer events', async () => {
    const client = test.client(first.connection);
    const asked = client.texts('notes');
    await test.cluster.continue(first);

    expect(await asked).toEqual(['one']);
    expect(await client.texts('others')).toEqual([]);
    expect((await client.head()).commit).toBeLessThan((await test.client(second.connection).head()).commit);
  });

  it('acknowledges no append and restarts to drop its prepared events', async () => {
    await test.cluster.continue(first);
    const client = test.client(first.connection);
    await expect(client.append('notes', 0, 'lost')).rejects.toThrow();
    await test.cluster.until(() => !first.up);
    await test.cluster.until(() => first.role === 'follower' && first.log.stream('notes').length === 2);

    expect(await test.client(first.connection).texts('notes', false)).toEqual(['one', 'two']);
  });

  it('follows the new leader after a while when it has no prepared events', async () => {
    await test.cluster.continue(first);
    await test.cluster.until(() => first.role === 'follower');

    expect(first.leader).toBe(second);
  });

  it('alone serves clients when the new leader is lost and reports a subscription beyond its log as caught up', async () => {
    const head = await test.client(second.connection).head();
    await test.cluster.continue(first);
    second.kill();
    await test.cluster.until(() => test.cluster.nodes.every(({ known }) => known.get(second)?.isAlive !== true));
    const client = test.client();
    const subscription = client.subscribe(head);
    await once(subscription, 'caughtUp');

    expect(first.role).toBe('leader');
    expect(await client.texts('others')).toEqual([]);
    const third = await test.cluster.led();
    expect([first, second]).not.toContain(third);
    expect(await test.client(third.connection).texts('others')).toEqual(['first']);
  });
});

describe('An EventStoreDB node that lags', () => {
  const test = eachCluster();

  it('shows acknowledged events later than the leader', async () => {
    const leader = await test.cluster.led();
    const [late] = test.cluster.nodes.filter((node) => node !== leader) as [ClusterNode];
    late.lagMs = 300;
    await test.client().append('notes', -1, 'one');

    const client = test.client(late.connection);
    expect(await client.texts('notes', false)).toEqual([]);
    await test.cluster.until(() => late.log.stream('notes').length === 1);
    expect(await client.texts('notes', false)).toEqual(['one']);
  });
});
