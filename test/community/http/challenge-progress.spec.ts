import { CompleteReachedGoals } from '../../../src/community/processes/complete-reached-goals.js';
import { CountChallengeProgress } from '../../../src/community/processes/count-challenge-progress.js';
import { PayChallengeRewards } from '../../../src/community/processes/pay-challenge-rewards.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { type Api, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { readWholeLog } from '../../support/read-whole-log.js';
import { type Service, startService } from '../../support/service.js';
import { createCommunity, emailFor, joinAs } from '../community-users.js';

interface Progress {
  readonly count: number;
  readonly completed_at: string | null;
}

describe('The progress of a challenge', () => {
  let service: Service;
  let key: Api;
  let community: string;
  let root: string;
  beforeAll(async () => {
    service = await startService();
    key = service.createApi(await service.createKey(await service.createBusiness()));
    community = (await createCommunity(key)).id;
    root = `/v1/community/communities/${community}`;
  });
  afterAll(() => service.stop());

  let members = 0;
  let latest: string;

  /** Creates a challenge, and a new member who joins it. */
  async function enter(goal: object) {
    latest = requireData(await key.post(`${root}/challenges`, { title: 'Pots', ...goal })).id as string;
    return enterSame();
  }

  /** Lets another new member join the latest challenge. */
  async function enterSame() {
    const id = latest;
    const path = `/v1/community/challenges/${id}`;
    const name = `potter${++members}`;
    const api = await joinAs(service, community, name, 'member');
    const { user } = requireData(await api.post(`${path}/join`));
    return new Participant(api, name, user.id as string, id, path);
  }

  class Participant {
    constructor(
      readonly api: Api,
      private readonly name: string,
      private readonly userId: string,
      readonly challengeId: string,
      readonly path: string,
    ) {}

    get memberPath(): string {
      return `${root}/members/${this.userId}`;
    }

    async post(): Promise<string> {
      return requireData(await this.api.post(`${root}/posts`, { content: 'A pot' })).id as string;
    }

    async comment(postId: string): Promise<void> {
      requireData(await this.api.post(`/v1/community/posts/${postId}/comments`, { content: 'Fired' }));
    }

    async award(points: number, source?: readonly [type: string, id: string]): Promise<void> {
      const [source_type, source_id] = source ?? [];
      requireData(
        await key.post(`${root}/points`, { points, target_email: emailFor(this.name), source_type, source_id }),
      );
    }

    completeTask(taskKey: string) {
      return this.api.post(`${root}/onboarding-tasks/${taskKey}/complete`);
    }

    async readProgress(): Promise<Progress> {
      return requireData(await this.api.get(`${this.path}/progress`));
    }

    waitForCount(wanted: number): Promise<Progress> {
      return eventually(
        () => this.readProgress(),
        ({ count }) => count >= wanted,
      );
    }

    async readPoints(): Promise<number> {
      return requireData(await key.get(this.memberPath)).points as number;
    }
  }

  const readEvents = async (type: string) =>
    (await readWholeLog(service.get(EventStore))).filter((event: RecordedEvent) => event.type === type);

  const readCompletions = async ({ challengeId }: Participant) =>
    (await readEvents('ChallengeCompleted')).filter(
      ({ data }) => (data as { challengeId: string }).challengeId === challengeId,
    );

  it('counts posts until the goal is reached', async () => {
    const potter = await enter({ goal_type: 'posts', goal_target: 2 });

    const post = await potter.post();
    await potter.comment(post);
    expect(await potter.waitForCount(1)).toMatchObject({ count: 1, completed_at: null });
    await potter.post();
    expect(await potter.waitForCount(2)).toMatchObject({ count: 2, completed_at: expect.any(String) });
  });

  it('counts comments', async () => {
    const potter = await enter({ goal_type: 'comments', goal_target: 1 });

    await potter.comment(await potter.post());

    expect((await potter.waitForCount(1)).completed_at).not.toBeNull();
  });

  it('adds the points of awards', async () => {
    const potter = await enter({ goal_type: 'cp', goal_target: 40 });

    await potter.award(30);
    expect(await potter.waitForCount(30)).toMatchObject({ count: 30, completed_at: null });
    await potter.award(20, ['course', 'lesson-1']);
    expect(await potter.waitForCount(50)).toMatchObject({ count: 50, completed_at: expect.any(String) });
  });

  it('counts awards for the challenge', async () => {
    const potter = await enter({ goal_type: 'custom', goal_target: 2 });

    await potter.award(1, ['challenge_custom', 'chal_other']);
    await potter.award(1, ['challenge_custom', potter.challengeId]);
    expect(await potter.waitForCount(1)).toMatchObject({ count: 1 });
    await potter.award(1, ['challenge_custom', `${potter.challengeId}:kiln`]);
    expect(await potter.waitForCount(2)).toMatchObject({ count: 2, completed_at: expect.any(String) });
  });

  it('counts the days of a streak', async () => {
    const potter = await enter({ goal_type: 'streak', goal_target: 3 });

    await potter.comment(await potter.post());

    expect(await potter.waitForCount(1)).toMatchObject({ completed_at: null });
  });

  it('counts completed onboarding tasks', async () => {
    const potter = await enter({ goal_type: 'missions', goal_target: 1 });

    await potter.completeTask('first_post');

    expect((await potter.waitForCount(1)).completed_at).not.toBeNull();
  });

  it('pays the reward once, and publishes the completion', async () => {
    const potter = await enter({ goal_type: 'posts', goal_target: 1, cp_reward: 70 });

    await potter.post();
    const progress = await potter.waitForCount(1);
    await eventually(
      () => potter.readPoints(),
      (points) => points === 70,
    );
    const [completed] = (await readEvents('ChallengeCompleted')).slice(-1);
    await service.get(PayChallengeRewards).react(completed as never);
    expect(await potter.readPoints()).toBe(70);
    const published = await eventually(
      async () => requireData(await key.get('/v1/webhooks/events?event_type=community.challenge.completed&limit=1')),
      ([newest]) => newest?.data.challenge.id === potter.challengeId,
    );
    expect(published[0].data).toEqual(progress);
  });

  it('leaves a reward unpaid that a moderator has paid with other points', async () => {
    const potter = await enter({ goal_type: 'posts', goal_target: 1, cp_reward: 70 });
    await potter.award(5, ['challenge', potter.challengeId]);

    await potter.post();
    await potter.waitForCount(1);
    const [completed] = (await readEvents('ChallengeCompleted')).slice(-1);
    await service.get(PayChallengeRewards).react(completed as never);

    expect(await potter.readPoints()).toBe(5);
  });

  it('stays exact when events are handled twice', async () => {
    const potter = await enter({ goal_type: 'posts', goal_target: 100 });
    const reactor = service.get(CountChallengeProgress);

    const posts = await Promise.all(Array.from({ length: 8 }, () => potter.post()));
    const events = (await readEvents('PostCreated')).filter(({ data }) =>
      posts.includes((data as { postId: string }).postId),
    );
    await Promise.all([...events, ...events].map((event) => reactor.react(event as never)));

    expect(await potter.readProgress()).toMatchObject({ count: 8 });
  });

  it('counts nothing before joining', async () => {
    const potter = await enter({ goal_type: 'posts', goal_target: 9 });
    const other = requireData(await key.post(`${root}/challenges`, { title: 'x', goal_type: 'posts', goal_target: 9 }));
    await potter.post();
    await potter.waitForCount(1);

    await potter.api.post(`/v1/community/challenges/${other.id}/join`);
    await potter.post();
    await potter.waitForCount(2);

    expect(
      await eventually(
        async () => requireData(await potter.api.get(`/v1/community/challenges/${other.id}/progress`)),
        ({ count }) => count > 0,
      ),
    ).toMatchObject({ count: 1 });
  });

  it('ends when the challenge is cancelled', async () => {
    const potter = await enter({ goal_type: 'posts', goal_target: 9 });
    await potter.post();
    await potter.waitForCount(1);
    await key.delete(potter.path);
    await potter.post();

    const closed = await eventually(
      () => readEvents('ChallengeEntryClosed'),
      ({ length }) => length > 0,
    );

    expect(closed.map(({ data }) => data)).toMatchObject([{ challengeId: potter.challengeId }]);
  });

  it('is shown for the present goal', async () => {
    const potter = await enter({ goal_type: 'posts', goal_target: 9 });
    const post = await potter.post();
    await potter.waitForCount(1);

    await key.patch(potter.path, { goal_target: 5 });
    expect(await potter.readProgress()).toMatchObject({ count: 1, goal_target: 5 });
    await key.patch(potter.path, { goal_type: 'comments' });
    expect(await potter.readProgress()).toMatchObject({ count: 0 });
    await potter.comment(post);
    expect(await potter.waitForCount(1)).toMatchObject({ count: 1, completed_at: null });
  });

  it('completes a lowered goal for those who have reached it, and pays once', async () => {
    const potter = await enter({ goal_type: 'posts', goal_target: 5, cp_reward: 40 });
    for (let posts = 1; posts <= 3; posts++) await potter.post();
    await potter.waitForCount(3);

    await key.patch(potter.path, { goal_target: 4 });
    await key.patch(potter.path, { goal_target: 3 });

    const progress = await eventually(
      () => potter.readProgress(),
      ({ completed_at }) => completed_at !== null,
    );
    expect(progress).toMatchObject({ count: 3, goal_target: 3 });
    await eventually(
      () => potter.readPoints(),
      (points) => points === 40,
    );
    await potter.post();
    await key.patch(potter.path, { goal_target: 2 });
    const [lowered] = (await readEvents('ChallengeEdited')).slice(-1);
    await service.get(CompleteReachedGoals).react(lowered as never);
    expect(await readCompletions(potter)).toHaveLength(1);
  });

  it('completes no lowered goal for those who have left or are banned, and does so after their return', async () => {
    const [left, banned, present] = [
      await enter({ goal_type: 'posts', goal_target: 5, cp_reward: 40 }),
      await enterSame(),
      await enterSame(),
    ];
    for (const potter of [left, banned, present]) {
      await potter.post();
      await potter.waitForCount(1);
    }
    await left.api.post(`${root}/leave`);
    await key.patch(banned.memberPath, { status: 'banned' });

    await key.patch(left.path, { goal_target: 1 });
    await eventually(
      () => present.readPoints(),
      (points) => points === 40,
    );
    const [lowered] = (await readEvents('ChallengeEdited')).slice(-1);
    await service.get(CompleteReachedGoals).react(lowered as never);
    expect([await left.readPoints(), await banned.readPoints()]).toEqual([0, 0]);

    await left.api.post(`${root}/join`);
    await left.post();
    await eventually(
      () => left.readPoints(),
      (points) => points === 40,
    );
  });

  it('takes a reversed award from the count', async () => {
    const potter = await enter({ goal_type: 'cp', goal_target: 100 });
    await potter.award(60);
    await potter.waitForCount(60);
    const [award] = requireData(await key.get(`${root}/points?per_page=1`));

    await key.post(`${root}/points/${award.id}/reversal`, { reason: 'By mistake' });
    await eventually(
      () => potter.readProgress(),
      ({ count }) => count === 0,
    );
    await potter.award(60);
    expect(await potter.waitForCount(60)).toMatchObject({ count: 60, completed_at: null });
  });

  it('takes a reversed award from a custom goal', async () => {
    const potter = await enter({ goal_type: 'custom', goal_target: 3 });
    await potter.award(7, ['challenge_custom', potter.challengeId]);
    await potter.award(9, ['challenge_custom', `${potter.challengeId}:kiln`]);
    await potter.waitForCount(2);
    const [award] = requireData(await key.get(`${root}/points?per_page=1`));

    await key.post(`${root}/points/${award.id}/reversal`, { reason: 'By mistake' });

    expect(
      await eventually(
        () => potter.readProgress(),
        ({ count }) => count < 2,
      ),
    ).toMatchObject({ count: 1, completed_at: null });
  });

  it('publishes changes and the cancellation of the challenge', async () => {
    const potter = await enter({ goal_type: 'posts', goal_target: 9 });
    await key.patch(potter.path, { title: 'Bowls' });
    const cancelled = requireData(await key.delete(potter.path));

    const query = 'event_type=community.challenge.updated&event_type=community.challenge.cancelled&limit=2';
    const [second, first] = await eventually(
      async () => requireData(await key.get(`/v1/webhooks/events?${query}`)),
      ([newest]) => newest?.type === 'community.challenge.cancelled',
    );

    expect(second.data).toEqual(cancelled);
    expect(first).toMatchObject({ type: 'community.challenge.updated', data: { title: 'Bowls', status: 'active' } });
  });
});
