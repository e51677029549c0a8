import { TimeoutError, UnavailableError, WrongExpectedVersionError } from '@eventstore/db-client';
import { eachCluster } from './client.js';
import type { ClusterNode } from './node.js';

describe('An EventStoreDB leader that has lost its majority', () => {
  const test = eachCluster();
  let leader: ClusterNode;
  let followers: ClusterNode[];
  beforeEach(async () => {
    leader = await test.cluster.led();
    followers = test.cluster.nodes.filter((node) => node !== leader);
    await test.client().append('notes', -1, 'one');
    for (const node of followers) test.cluster.pause(node);
  });

  it('answers an append with a timeout and does not show its events', async () => {
    const client = test.client(leader.connection);

    await expect(client.append('notes', 0, 'two')).rejects.toThrow(TimeoutError);
    await expect(client.append('others', -1, 'first')).rejects.toThrow('Commit phase timeout');
    expect(await client.texts('notes')).toEqual(['one']);
    expect(await client.texts('others')).toEqual([]);
  });

  it('refuses other appends at the same revision, because prepared events count', async () => {
    const client = test.client(leader.connection);
    await Promise.allSettled([client.append('notes', 0, 'two'), client.append('others', -1, 'first')]);

    const refusals = [client.append('notes', 0, 'three'), client.append('others', -1, 'second')].map((append) =>
      append.catch((e: unknown) => e),
    );
    const [ofNotes, ofOthers] = (await Promise.all(refusals)) as [WrongExpectedVersionError, WrongExpectedVersionError];
    expect(ofNotes).toBeInstanceOf(WrongExpectedVersionError);
    expect([ofNotes.actualVersion, ofOthers.actualVersion]).toEqual([1n, 0n]);
  });

  it('resigns after a while and then serves neither appends nor reads', async () => {
    await test.cluster.until(() => leader.role === 'unknown');

    await expect(test.client(leader.connection).append('notes', 0, 'two')).rejects.toThrow('Server Is Not Ready');
    await expect(test.client(leader.connection).texts('notes')).rejects.toThrow(UnavailableError);
  });

  it('commits its prepared events when its followers return, even after it resigned', async () => {
    await test
      .client(leader.connection)
      .append('notes', 0, 'two')
      .catch(() => undefined);
    await test.cluster.until(() => leader.role === 'unknown');
    const next = await test.cluster.heal();

    expect(await test.client(next.connection).texts('notes')).toEqual(['one', 'two']);
  });

  it('loses its prepared events when the other nodes elect a new leader', async () => {
    await test
      .client(leader.connection)
      .append('notes', 0, 'two')
      .catch(() => undefined);
    leader.kill();
    for (const node of followers) await test.cluster.continue(node);
    const next = await test.cluster.led(leader);
    await test.client(next.connection).append('notes', 0, 'another two');
    await test.cluster.heal();
    await test.cluster.until(() => leader.log.stream('notes').length === 2);

    expect(await test.client(leader.connection).texts('notes', false)).toEqual(['one', 'another two']);
  });
});
