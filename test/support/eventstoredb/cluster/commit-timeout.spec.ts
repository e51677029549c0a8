import { TimeoutError, UnavailableError, WrongExpectedVersionError } from '@eventstore/db-client';
import { setUpCluster } from './client.js';
import type { ClusterNode } from './node.js';

describe('An EventStoreDB leader that has lost its majority', () => {
  const test = setUpCluster();
  let leader: ClusterNode;
  let followers: ClusterNode[];
  beforeEach(async () => {
    leader = await test.cluster.waitForLeader();
    followers = test.cluster.nodes.filter((node) => node !== leader);
    await test.createClient().append('notes', -1, 'one');
    for (const node of followers) test.cluster.pause(node);
  });

  it('answers an append with a timeout and does not show its events', async () => {
    const client = test.createClient(leader.connection);

    await expect(client.append('notes', 0, 'two')).rejects.toThrow(TimeoutError);
    await expect(client.append('others', -1, 'first')).rejects.toThrow('Commit phase timeout');
    expect(await client.readTexts('notes')).toEqual(['one']);
    expect(await client.readTexts('others')).toEqual([]);
  });

  it('refuses other appends at the same revision, because prepared events count', async () => {
    const client = test.createClient(leader.connection);
    await Promise.allSettled([client.append('notes', 0, 'two'), client.append('others', -1, 'first')]);

    const refusals = [client.append('notes', 0, 'three'), client.append('others', -1, 'second')].map((append) =>
      append.catch((e: unknown) => e),
    );
    const [ofNotes, ofOthers] = (await Promise.all(refusals)) as [WrongExpectedVersionError, WrongExpectedVersionError];
    expect(ofNotes).toBeInstanceOf(WrongExpectedVersionError);
    expect([ofNotes.actualVersion, ofOthers.actualVersion]).toEqual([1n, 0n]);
  });

  it('resigns after a while and then serves neither appends nor reads', async () => {
    await test.cluster.waitUntil(() => leader.role === 'unknown');

    await expect(test.createClient(leader.connection).append('notes', 0, 'two')).rejects.toThrow('Server Is Not Ready');
    await expect(test.createClient(leader.connection).readTexts('notes')).rejects.toThrow(UnavailableError);
  });

  it('commits its prepared events when its followers return, even after it resigned', async () => {
    await test
      .createClient(leader.connection)
      .append('notes', 0, 'two')
      .catch(() => undefined);
    await test.cluster.waitUntil(() => leader.role === 'unknown');
    const next = await test.cluster.restore();

    expect(await test.createClient(next.connection).readTexts('notes')).toEqual(['one', 'two']);
  });

  it('loses its prepared events when the other nodes elect a new leader', async () => {
    await test
      .createClient(leader.connection)
      .append('notes', 0, 'two')
      .catch(() => undefined);
    leader.kill();
    for (const node of followers) await test.cluster.continue(node);
    const next = await test.cluster.waitForLeader(leader);
    await test.createClient(next.connection).append('notes', 0, 'another two');
    await test.cluster.restore();
    await test.cluster.waitUntil(() => leader.log.readStream('notes').length === 2);

    expect(await test.createClient(leader.connection).readTexts('notes', false)).toEqual(['one', 'another two']);
  });
});
