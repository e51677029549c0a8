import { CommunityAccess } from '../../../src/community/access/community-access.js';
import { Members } from '../../../src/community/commands/members.steps.js';
import { type ChallengeContent, challengeDecider } from '../../../src/community/domain/challenge.js';
import { challengeEntryDecider, challengeEntryIdOf } from '../../../src/community/domain/challenge-entry.js';
import { postDecider } from '../../../src/community/domain/post.js';
import { CompleteReachedGoals } from '../../../src/community/processes/complete-reached-goals.js';
import { CountChallengeProgress } from '../../../src/community/processes/count-challenge-progress.js';
import { ReadModelReader } from '../../../src/engine/read-models/read-model-reader.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { waitUntilIdle } from '../../support/clock.js';
import { eventually } from '../../support/eventually.js';
import { createContext } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';
import { readWholeLog } from '../../support/read-whole-log.js';
import { type Service, startService } from '../../support/service.js';
import { aChallenge, newChallenge } from '../challenge-facts.js';
import { newPost } from '../facts.js';

/** More than one slice of entries. */
const PARTICIPANTS = 101;
const GOAL: Partial<ChallengeContent> = {
  goalTarget: 5,
  startsAt: '2020-01-01T00:00:00.000Z',
  endsAt: null,
  cpReward: 0,
};

describe('A goal that is lowered', () => {
  let service: Service;
  let streams: Streams;
  beforeEach(async () => {
    service = await startService();
    streams = service.get(Streams);
    await create(streams);
  });
  afterEach(() => service.stop());

  const readCompleted = async () => listCompleted(await readWholeLog(service.get(EventStore)));

  it('completes everybody who has reached it, in as many slices as needed', async () => {
    const users = Array.from({ length: PARTICIPANTS }, (_, n) => `usr_${n}`).sort();
    for (const user of users) {
      await joinCommunity(streams, user);
      await enter(streams, user, 2);
    }
    await enter(streams, 'usr_behind', 1);

    await lower(streams, 2);

    expect(await eventually(readCompleted, ({ length }) => length >= PARTICIPANTS)).toEqual(users);
  });
});

describe('A goal that is lowered while an activity is counted for the former one', () => {
  it('is completed by this activity', async () => {
    const cluster = new TestCluster();
    const { streams } = cluster.createProcess({});
    await create(streams);
    await enter(streams, 'usr_1', 1);
    const post = { type: 'CreatePost', ...newPost } as const;
    const { recorded } = await streams.execute(postDecider, 'post_1', post, createContext('post'));

    await new CountChallengeProgress(lowerBeforeCommands(streams), createReader()).react(recorded[0] as never);

    expect(listCompleted(cluster.store.log)).toEqual(['usr_1']);
  });
});

describe('An activity right after joining', () => {
  it('counts when the read model has the entry later', async () => {
    const cluster = new TestCluster();
    const { streams } = cluster.createProcess({});
    await create(streams);
    await enter(streams, 'usr_1', 0);
    const post = { type: 'CreatePost', ...newPost } as const;
    const { recorded } = await streams.execute(postDecider, 'post_1', post, createContext('post'));

    await new CountChallengeProgress(streams, createReader({ lags: true })).react(recorded[0] as never);

    expect(cluster.store.log.filter(({ type }) => type === 'ProgressCounted')).toHaveLength(1);
  });
});

describe('A read model that has an entry later', () => {
  it('completes the entry when the goal is lowered', async () => {
    const cluster = new TestCluster();
    const { streams } = cluster.createProcess({});
    await create(streams);
    await joinCommunity(streams, 'usr_1');
    await enter(streams, 'usr_1', 2);
    await lower(streams, 2);
    const [lowered] = cluster.store.log.slice(-1);

    const reader = createReader({ lags: true });
    await new CompleteReachedGoals(streams, reader, new CommunityAccess(streams)).react(lowered as never);

    expect(listCompleted(cluster.store.log)).toEqual(['usr_1']);
  });

  it('closes the entry of a challenge that was cancelled', async () => {
    const cluster = new TestCluster();
    const { streams } = cluster.createProcess({});
    await create(streams);
    await enter(streams, 'usr_1', 1);
    const cancel = { type: 'CancelChallenge', userId: 'usr_9' } as const;
    await streams.execute(challengeDecider, 'chal_1', cancel, createContext('cancel'));
    const post = { type: 'CreatePost', ...newPost } as const;
    const { recorded } = await streams.execute(postDecider, 'post_1', post, createContext('post'));

    await new CountChallengeProgress(streams, createReader({ lags: true })).react(recorded[0] as never);

    expect(cluster.store.log.filter(({ type }) => type === 'ChallengeEntryClosed')).toHaveLength(1);
  });
});

/** Returns streams that lower the goal after the reactor has read it, before its command is executed. */
function lowerBeforeCommands(streams: Streams): Streams {
  const lowering = Object.create(streams) as Streams;
  lowering.execute = async (...command) => {
    await lower(streams, 2);
    return streams.execute(...command);
  };
  return lowering;
}

/** The reader of a read model with one entry, which it may get only while it is waited for. */
function createReader({ lags = false } = {}): ReadModelReader {
  let isComplete = !lags;
  const entry = { challenge: { id: 'chal_1' }, user: { id: 'usr_1' }, _reached: 2 };
  return {
    requirePosition: async () => {
      await waitUntilIdle();
      isComplete = true;
    },
    getSlice: () =>
      Promise.resolve({ data: isComplete ? [entry] : [], pagination: { next_cursor: null, has_more: false } }),
  } as unknown as ReadModelReader;
}

async function create(streams: Streams): Promise<void> {
  const challenge = { ...newChallenge, ...GOAL };
  await streams.execute(challengeDecider, 'chal_1', { type: 'CreateChallenge', challenge }, createContext('create'));
}

async function joinCommunity(streams: Streams, userId: string): Promise<void> {
  const member = { memberId: `mem_${userId}`, communityId: 'com_1', userId, email: null };
  const joined = { ...member, role: 'member', minimumLevel: 1 } as const;
  await new Members(streams).join(joined, createContext(`join ${userId}`));
}

async function enter(streams: Streams, userId: string, posts: number): Promise<void> {
  const challenge = aChallenge(GOAL);
  const id = challengeEntryIdOf('chal_1', userId);
  const join = { type: 'JoinChallenge', challenge, memberId: `mem_${userId}`, userId } as const;
  await streams.execute(challengeEntryDecider, id, join, createContext(`join ${userId}`));
  const activity = { type: 'post', at: '2999-01-01T00:00:00.000Z' } as const;
  const count = { type: 'CountProgress', challenge, activity } as const;
  for (let post = 1; post <= posts; post++)
    await streams.execute(challengeEntryDecider, id, count, createContext(`post ${post} of ${userId}`));
}

async function lower(streams: Streams, goalTarget: number): Promise<void> {
  const command = { type: 'EditChallenge', content: { goalTarget } } as const;
  await streams.execute(challengeDecider, 'chal_1', command, createContext('lower'));
}

function listCompleted(log: readonly RecordedEvent[]): string[] {
  const completed = log.filter(({ type }) => type === 'ChallengeCompleted');
  return completed.map(({ data }) => (data as { userId: string }).userId).sort();
}
