import { NotLeaderError, UnavailableError } from '@eventstore/db-client';
import { NodeState } from '../messages.js';
import { setUpCluster } from './client.js';
import type { ClusterNode } from './node.js';

describe('An EventStoreDB cluster', () => {
  const test = setUpCluster();
  const followers = (leader: ClusterNode) => test.cluster.nodes.filter((node) => node !== leader);

  it('shows acknowledged events on each node', async () => {
    const leader = await test.cluster.waitForLeader();
    await test.createClient().append('notes', -1, 'one');
    await test.cluster.waitUntil(() => followers(leader).every(({ log }) => log.readStream('notes').length === 1));

    for (const node of test.cluster.nodes)
      expect(await test.createClient(node.connection).readTexts('notes', false)).toEqual(['one']);
  });

  it('redirects a client from a follower to the leader', async () => {
    const leader = await test.cluster.waitForLeader();
    const [follower] = followers(leader);
    const client = test.createClient(follower!.connection);

    await expect(client.append('notes', -1, 'one')).rejects.toMatchObject({
      leader: { address: '127.0.0.1', port: leader.port },
    });
    await expect(test.createClient(follower!.connection).readTexts('notes')).rejects.toThrow(NotLeaderError);
    expect(await client.append('notes', -1, 'one')).toMatchObject({ success: true });
  });

  it('serves no calls without a leader and then elects a node with all acknowledged events', async () => {
    const first = await test.cluster.waitForLeader();
    const client = test.createClient();
    await client.append('notes', -1, 'one');
    first.kill();
    await test.cluster.waitUntil(() => followers(first).every(({ role }) => role === 'unknown'));
    const lost = test.createClient(followers(first)[0]!.connection);

    await expect(lost.readTexts('notes')).rejects.toThrow(UnavailableError);
    await expect(lost.append('notes', 0, 'two')).rejects.toThrow('Server Is Not Ready');
    const second = await test.cluster.waitForLeader();
    expect(second).not.toBe(first);
    const next = test.createClient(second.connection);
    expect(await next.readTexts('notes')).toEqual(['one']);
    expect(await next.append('notes', 0, 'two')).toMatchObject({ success: true });
  });

  it('accepts a killed node again as a follower, which catches up', async () => {
    const first = await test.cluster.waitForLeader();
    first.kill();
    await test.cluster.waitForLeader();
    await test.createClient(test.cluster.leader!.connection).append('notes', -1, 'one');
    await first.start();
    await test.cluster.waitUntil(() => first.role === 'follower' && first.log.readStream('notes').length === 1);

    expect(await test.createClient(first.connection).readTexts('notes', false)).toEqual(['one']);
  });

  it('lets a leader that shuts down refuse calls before it stops', async () => {
    const first = await test.cluster.waitForLeader();
    const ended = test.cluster.shutDown(first);

    await expect(test.createClient(first.connection).append('notes', -1, 'one')).rejects.toThrow('Server Is Not Ready');
    await ended;
    expect(await test.cluster.waitForLeader()).not.toBe(first);
  });

  it('simulates nodes that report different and late gossip', async () => {
    const leader = await test.cluster.waitForLeader();
    const [follower] = followers(leader) as [ClusterNode];
    follower.gossipDelayMs = 200;
    follower.gossipOverride = () => [
      { ...leader.self, state: NodeState.FOLLOWER },
      { ...follower.self, state: NodeState.LEADER },
    ];

    const states = async (node: ClusterNode) => new Map((await node.gossip()).map(({ port, state }) => [port, state]));
    expect((await states(leader)).get(leader.port)).toBe(NodeState.LEADER);
    expect((await states(follower)).get(leader.port)).toBe(NodeState.FOLLOWER);
    // A client connected to the wrong node is redirected from there.
    const client = test.createClient();
    await client.append('notes', -1, 'one').catch(() => client.append('notes', -1, 'one'));
    expect(await client.readTexts('notes')).toEqual(['one']);
  });

  it('elects a new leader while an isolated leader still leads for some time', async () => {
    const first = await test.cluster.waitForLeader();
    test.cluster.isolate(first);
    const second = await test.cluster.waitForLeader(first);

    expect([first.role, second.role]).toEqual(['leader', 'leader']);
    await test.createClient(second.connection).append('notes', -1, 'one');
    expect(await test.createClient(first.connection).readTexts('notes')).toEqual([]);
    await test.cluster.waitUntil(() => first.role === 'unknown');
    await test.cluster.restore();
    await test.cluster.waitUntil(() => first.log.readStream('notes').length === 1);
  });
});
