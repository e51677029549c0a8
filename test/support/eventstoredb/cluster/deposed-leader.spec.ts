import { once } from 'node:events';
import { setUpCluster } from './client.js';
import type { ClusterNode } from './node.js';
import { QUICK_TIMES } from './times.js';

/** Every phase lasts long enough for a client to observe it, even on a busy machine. */
const TIMES = { ...QUICK_TIMES, silenceMs: 100, electionMs: 600, beliefMs: 1_000, resignMs: 5_000 };

describe('An EventStoreDB leader that continues after a pause longer than an election', () => {
  const test = setUpCluster(TIMES);
  let first: ClusterNode;
  let second: ClusterNode;
  beforeEach(async () => {
    first = await test.cluster.waitForLeader();
    await test.createClient(first.connection).append('notes', -1, 'one');
    test.cluster.pause(first);
    second = await test.cluster.waitForLeader(first);
    await test.createClient(second.connection).append('notes', 0, 'two');
    await test.createClient(second.connection).append('others', -1, 'first');
  });

  it('answers reads, including those received while paused, from a log without the newer events', async () => {
    const client = test.createClient(first.connection);
    const asked = client.readTexts('notes');
    await test.cluster.continue(first);

    expect(await asked).toEqual(['one']);
    expect(await client.readTexts('others')).toEqual([]);
    expect((await client.readHead()).commit).toBeLessThan(
      (await test.createClient(second.connection).readHead()).commit,
    );
  });

  it('acknowledges no append and restarts to drop its prepared events', async () => {
    await test.cluster.continue(first);
    const client = test.createClient(first.connection);
    await expect(client.append('notes', 0, 'lost')).rejects.toThrow();
    await test.cluster.waitUntil(() => !first.up);
    await test.cluster.waitUntil(() => first.role === 'follower' && first.log.readStream('notes').length === 2);

    expect(await test.createClient(first.connection).readTexts('notes', false)).toEqual(['one', 'two']);
  });

  it('follows the new leader after a while when it has no prepared events', async () => {
    await test.cluster.continue(first);
    await test.cluster.waitUntil(() => first.role === 'follower');

    expect(first.leader).toBe(second);
  });

  it('alone serves clients when the new leader is lost and reports a subscription beyond its log as caught up', async () => {
    const head = await test.createClient(second.connection).readHead();
    await test.cluster.continue(first);
    second.kill();
    await test.cluster.waitUntil(() => test.cluster.nodes.every(({ known }) => known.get(second)?.isAlive !== true));
    const client = test.createClient();
    const subscription = client.subscribe(head);
    await once(subscription, 'caughtUp');

    expect(first.role).toBe('leader');
    expect(await client.readTexts('others')).toEqual([]);
    const third = await test.cluster.waitForLeader();
    expect([first, second]).not.toContain(third);
    expect(await test.createClient(third.connection).readTexts('others')).toEqual(['first']);
  });
});

describe('An EventStoreDB node that lags', () => {
  const test = setUpCluster();

  it('shows acknowledged events later than the leader', async () => {
    const leader = await test.cluster.waitForLeader();
    const [late] = test.cluster.nodes.filter((node) => node !== leader) as [ClusterNode];
    late.lagMs = 300;
    await test.createClient().append('notes', -1, 'one');

    const client = test.createClient(late.connection);
    expect(await client.readTexts('notes', false)).toEqual([]);
    await test.cluster.waitUntil(() => late.log.readStream('notes').length === 1);
    expect(await client.readTexts('notes', false)).toEqual(['one']);
  });
});
