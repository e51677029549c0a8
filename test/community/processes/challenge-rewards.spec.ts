import { Awards } from '../../../src/community/commands/awards.steps.js';
import { Ledgers } from '../../../src/community/commands/ledgers.steps.js';
import { Members } from '../../../src/community/commands/members.steps.js';
import { challengeEntryDecider, type ChallengeEntryEvent } from '../../../src/community/domain/challenge-entry.js';
import { communityDecider } from '../../../src/community/domain/community.js';
import { pointsDecider } from '../../../src/community/domain/points.js';
import type { PointsSourceEvent } from '../../../src/community/domain/points-source.js';
import { AwardReservedPoints } from '../../../src/community/processes/award-reserved-points.js';
import { PayChallengeRewards } from '../../../src/community/processes/pay-challenge-rewards.js';
import type { RecordedOf } from '../../../src/kernel/event.js';
import { createContext } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';
import { aChallenge } from '../challenge-facts.js';
import { newCommunity, newMember } from '../facts.js';

async function completeChallenge(cpReward = 50) {
  const cluster = new TestCluster();
  const { streams } = cluster.createProcess({});
  const create = { type: 'CreateCommunity', ...newCommunity } as const;
  await streams.execute(communityDecider, 'com_1', create, createContext('create'));
  await new Members(streams).join(newMember, createContext('create'));
  const challenge = aChallenge({ goalTarget: 1, cpReward, endsAt: null });
  const { memberId, userId } = newMember;
  const join = { type: 'JoinChallenge', challenge, memberId, userId } as const;
  await streams.execute(challengeEntryDecider, 'entry_1', join, createContext('join'));
  const activity = { type: 'post', at: '2999-01-01T00:00:00.000Z' } as const;
  const count = { type: 'CountProgress', challenge, activity } as const;
  await streams.execute(challengeEntryDecider, 'entry_1', count, createContext('count'));
  return { cluster, completed: cluster.store.log.at(-1)! as Completed };
}

type Completed = RecordedOf<Extract<ChallengeEntryEvent, { type: 'ChallengeCompleted' }>>;

function createProcess(cluster: TestCluster, name: string) {
  const { streams, views } = cluster.createProcess({}, name);
  const ledgers = new Ledgers(streams);
  return {
    streams,
    rewards: new PayChallengeRewards(new Awards(streams, ledgers, views)),
    reserved: new AwardReservedPoints(ledgers),
  };
}

const countAwards = ({ store }: TestCluster) => store.log.filter(({ type }) => type === 'PointsAwarded').length;

describe('The reward of a completed challenge', () => {
  it('is paid from its source', async () => {
    const { cluster, completed } = await completeChallenge();
    const { rewards, streams } = createProcess(cluster, 'process 2');

    await rewards.react(completed);

    expect(await streams.loadState(pointsDecider, 'mem_1')).toMatchObject({ balance: 50 });
    expect(cluster.store.log.at(-1)!.data).toMatchObject({ sourceType: 'challenge', sourceId: 'chal_1', points: 50 });
  });

  it('is paid once when several processes pay it', async () => {
    const { cluster, completed } = await completeChallenge();

    for (const name of ['process 2', 'process 3']) await createProcess(cluster, name).rewards.react(completed);

    expect(countAwards(cluster)).toBe(1);
  });

  it('is paid once after a crash between the reservation and the ledger', async () => {
    const { cluster, completed } = await completeChallenge();
    cluster.store.faults.push(
      (write) => write(),
      () => Promise.reject(new Error('the process has crashed')),
    );
    await expect(createProcess(cluster, 'process 2').rewards.react(completed)).rejects.toThrow('crashed');
    const reservation = cluster.store.log.at(-1) as RecordedOf<PointsSourceEvent>;
    expect([reservation.type, countAwards(cluster)]).toEqual(['PointsReserved', 0]);

    await createProcess(cluster, 'process 3').reserved.react(reservation);
    await createProcess(cluster, 'process 4').rewards.react(completed);

    expect(countAwards(cluster)).toBe(1);
  });

  it('is not paid when it has no points', async () => {
    const { cluster, completed } = await completeChallenge(0);

    await createProcess(cluster, 'process 2').rewards.react(completed);

    expect(countAwards(cluster)).toBe(0);
  });
});
