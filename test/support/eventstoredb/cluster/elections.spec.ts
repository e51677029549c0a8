import { NotLeaderError, UnavailableError } from '@eventstore/db-client';
import { NodeState } from '../messages.js';
import { eachCluster } from './client.js';
import type { ClusterNode } from './node.js';

describe('An EventStoreDB cluster', () => {
  const test = eachCluster();
  const followers = (leader: ClusterNode) => test.cluster.nodes.filter((node) => node !== leader);

  it('shows acknowledged events on each node', async () => {
    const leader = await test.cluster.led();
    await test.client().append('notes', -1, 'one');
    await test.cluster.until(() => followers(leader).every(({ log }) => log.stream('notes').length === 1));

    for (const node of test.cluster.nodes) expect(await test.client(node.connection).texts('notes', false)).toEqual(['one']);
  });

  it('redirects a client from a follower to the leader', async () => {
    const leader = await test.cluster.led();
    const [follower] = followers(leader);
    const client = test.client(follower!.connection);

    await expect(client.append('notes', -1, 'one')).rejects.toMatchObject({ leader: { address: '127.0.0.1', port: leader.port } });
    await expect(test.client(follower!.connection).texts('notes')).rejects.toThrow(NotLeaderError);
    expect(await client.append('notes', -1, 'one')).toMatchObject({ success: true });
  });

  it('serves no calls without a leader and then elects a node with all acknowledged events', async () => {
    const first = await test.cluster.led();
    const client = test.client();
    await client.append('notes', -1, 'one');
    first.kill();
    await test.cluster.until(() => followers(first).every(({ role }) => role === 'unknown'));
    const lost = test.client(followers(first)[0]!.connection);

    await expect(lost.texts('notes')).rejects.toThrow(UnavailableError);
    await expect(lost.append('notes', 0, 'two')).rejects.toThrow('Server Is Not Ready');
    const second = await test.cluster.led();
    expect(second).not.toBe(first);
    const next = test.client(second.connection);
    expect(await next.texts('notes')).toEqual(['one']);
    expect(await next.append('notes', 0, 'two')).toMatchObject({ success: true });
  });

  it('accepts a killed node again as a follower, which catches up', async () => {
    const first = await test.cluster.led();
    first.kill();
    await test.cluster.led();
    await test.client(test.cluster.leader!.connection).append('notes', -1, 'one');
    await first.start();
    await test.cluster.until(() => first.role === 'follower' && first.log.stream('notes').length === 1);

    expect(await test.client(first.connection).texts('notes', false)).toEqual(['one']);
  });

  it('lets a leader that shuts down refuse calls before it stops', async () => {
    const first = await test.cluster.led();
    const ended = test.cluster.end(first);

    await expect(test.client(first.connection).append('notes', -1, 'one')).rejects.toThrow('Server Is Not Ready');
    await ended;
    expect(await test.cluster.led()).not.toBe(first);
  });

  it('simulates nodes that report different and late gossip', async () => {
    const leader = await test.cluster.led();
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
    const client = test.client();
    await client.append('notes', -1, 'one').catch(() => client.append('notes', -1, 'one'));
    expect(await client.texts('notes')).toEqual(['one']);
  });

  it('elects a new leader while an isolated leader still leads for some time', async () => {
    const first = await test.cluster.led();
    test.cluster.cutOff(first);
    const second = await test.cluster.led(first);

    expect([first.role, second.role]).toEqual(['leader', 'leader']);
    await test.client(second.connection).append('notes', -1, 'one');
    expect(await test.client(first.connection).texts('notes')).toEqual([]);
    await test.cluster.until(() => first.role === 'unknown');
    await test.cluster.heal();
    await test.cluster.until(() => first.log.stream('notes').length === 1);
  });
});
