import { Ledgers } from '../../../src/community/commands/ledgers.steps.js';
import { Members } from '../../../src/community/commands/members.steps.js';
import { communityDecider, type CommunityEvent } from '../../../src/community/domain/community.js';
import { memberDecider } from '../../../src/community/domain/member.js';
import { type Award, pointsDecider } from '../../../src/community/domain/points.js';
import { pointsReversalDecider, type PointsReversalEvent } from '../../../src/community/domain/points-reversal.js';
import {
  pointsSourceDecider,
  type PointsSourceEvent,
  pointsSourceIdOf,
} from '../../../src/community/domain/points-source.js';
import { AwardReservedPoints } from '../../../src/community/processes/award-reserved-points.js';
import { EnrolFounders } from '../../../src/community/processes/enrol-founders.js';
import { ReverseRequestedPoints } from '../../../src/community/processes/reverse-requested-points.js';
import type { RecordedOf } from '../../../src/kernel/event.js';
import { createContext } from '../../support/jar.js';
import { runBefore } from '../../support/memory/faulty-event-store.js';
import { TestCluster } from '../../support/memory/test-cluster.js';
import { award, newCommunity, newMember, reversal } from '../facts.js';

async function startCommunity() {
  const cluster = new TestCluster();
  const { streams } = cluster.createProcess({});
  await streams.execute(
    communityDecider,
    'com_1',
    { type: 'CreateCommunity', ...newCommunity },
    createContext('create'),
  );
  return {
    cluster,
    streams,
    created: cluster.store.log.at(-1) as RecordedOf<Extract<CommunityEvent, { type: 'CommunityCreated' }>>,
  };
}

const types = (cluster: TestCluster) => cluster.store.log.map(({ type }) => type);

describe('A community after an interrupted CreateCommunity', () => {
  it('gets its founder as a member from the process', async () => {
    const { streams, created } = await startCommunity();

    await new EnrolFounders(new Members(streams)).react(created);

    expect(await streams.loadState(memberDecider, 'mem_1')).toMatchObject({
      status: 'active',
      userId: 'usr_1',
      role: 'owner',
      minimumLevel: 1,
    });
  });

  it('gets its founder once when request and processes repeat the steps', async () => {
    const { cluster, streams, created } = await startCommunity();

    await new EnrolFounders(new Members(streams)).react(created);
    await new Members(streams).join(newMember, createContext('create'));
    await new EnrolFounders(new Members(cluster.createProcess({}, 'process 2').streams)).react(created);

    expect(types(cluster)).toEqual(['CommunityCreated', 'MembershipClaimed', 'MembershipClaimed', 'MemberJoined']);
  });

  it('records the caller of the command as the actor of every step', async () => {
    const { cluster, streams, created } = await startCommunity();

    await new EnrolFounders(new Members(streams)).react(created);

    expect(
      new Set(cluster.store.log.map(({ meta }) => JSON.stringify([meta.actor, meta.correlationId, meta.causationId])))
        .size,
    ).toBe(1);
  });
});

describe('An award after an interrupted AwardPoints', () => {
  async function reserveAward() {
    const { cluster, streams } = await startCommunity();
    await new Members(streams).join(newMember, createContext('create'));
    await streams.execute(
      pointsSourceDecider,
      pointsSourceIdOf(award),
      { type: 'ReservePoints', award },
      createContext('award'),
    );
    return { cluster, streams, reservation: cluster.store.log.at(-1) as RecordedOf<PointsSourceEvent> };
  }

  it('is entered in the ledger by the process', async () => {
    const { streams, reservation } = await reserveAward();

    await new AwardReservedPoints(new Ledgers(streams)).react(reservation);

    expect(await streams.loadState(pointsDecider, 'mem_1')).toMatchObject({ balance: 50, entries: 1 });
  });

  it('is entered once when a thousand other awards are entered during its paused append', async () => {
    const { cluster, streams, reservation } = await reserveAward();
    cluster.store.faults.push(
      runBefore(async () => {
        const { streams } = cluster.createProcess({}, 'process 2');
        await new AwardReservedPoints(new Ledgers(streams)).react(reservation);
        for (let n = 0; n < 1_001; n++)
          await new Ledgers(streams).enter(
            { ...award, awardId: `pta_by_hand_${n}` },
            createContext(`by hand ${n}`),
            null,
          );
      }),
    );

    const entry = await new Ledgers(streams).enter(award, createContext('award'), reservation);

    expect(
      cluster.store.log.filter(({ type, data }) => type === 'PointsAwarded' && (data as Award).awardId === 'pta_1'),
    ).toEqual([entry]);
  });

  it('is entered once when request and processes repeat the step', async () => {
    const { cluster, streams, reservation } = await reserveAward();

    await new AwardReservedPoints(new Ledgers(streams)).react(reservation);
    await new Ledgers(streams).enter(award, createContext('award'), reservation);
    await new Ledgers(streams).enter(award, createContext('award, asked again'), reservation);
    await new AwardReservedPoints(new Ledgers(cluster.createProcess({}, 'process 2').streams)).react(reservation);

    expect(types(cluster).filter((type) => type === 'PointsAwarded')).toHaveLength(1);
  });
});

describe('A reversal after an interrupted ReversePoints', () => {
  it('is entered once when request and processes repeat the step', async () => {
    const { cluster, streams } = await startCommunity();
    await new Members(streams).join(newMember, createContext('create'));
    await new Ledgers(streams).enter(award, createContext('award'), null);
    const command = { type: 'RequestPointsReversal', reversal } as const;
    await streams.execute(pointsReversalDecider, 'pta_1', command, createContext('reverse'));
    const requested = cluster.store.log.at(-1) as RecordedOf<PointsReversalEvent>;

    await new ReverseRequestedPoints(new Ledgers(streams)).react(requested);
    await new Ledgers(streams).reverse(requested, createContext('reverse, asked again'));
    await new ReverseRequestedPoints(new Ledgers(cluster.createProcess({}, 'process 2').streams)).react(requested);

    expect(types(cluster).filter((type) => type === 'PointsReversed')).toHaveLength(1);
    expect(await streams.loadState(pointsDecider, 'mem_1')).toMatchObject({ balance: 0, entries: 2 });
  });
});
