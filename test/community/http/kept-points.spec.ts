import { DEFAULT_LEVELS } from '../../../src/community/domain/levels.js';
import { pointsDecider } from '../../../src/community/domain/points.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { createSystemContext } from '../../../src/identity/system-context.js';
import { type Api, type ApiResponse, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { forgetAddress } from '../../support/forget.js';
import type { Service, TestBusiness } from '../../support/service.js';
import { startCommunity } from '../community-fixture.js';
import { createCommunity, emailFor, signIn, toProblem } from '../community-users.js';

let service: Service;
let key: Api;
let path: string;
let communityId: string;
let business: TestBusiness;
beforeAll(async () => void ({ service, business, key, path, community: communityId } = await startCommunity()));
afterAll(() => service.stop());

type Body = ApiResponse['body'];

/** Imports one row. Returns its result. */
async function importRow(name: string, row: object = {}, to = path): Promise<Body> {
  const body = { members: [{ email: emailFor(name), ...row }] };
  return requireData(await key.post(`${to}/members/import`, body)).results[0];
}
const award = (name: string, points: number, source: object = {}, to = path) =>
  key.post(`${to}/points`, { points, target_email: emailFor(name), ...source });
const reverse = async (awardId: string) =>
  requireData(await key.post(`${path}/points/${awardId}/reversal`, { reason: 'By mistake' }));
const readMember = async (userId: string, to = path) => requireData(await key.get(`${to}/members/${userId}`));
const remove = async (userId: string) => requireData(await key.delete(`${path}/members/${userId}`));

/** Waits until the member has joined by the sign-in. */
async function join(name: string, userId: string, to = path): Promise<Body> {
  await (await signIn(service, name)).get('/v1/auth/me');
  return eventually(
    () => readMember(userId, to),
    ({ status }) => status === 'active',
  );
}

/** The public events of the award, and of its reversal, oldest first. */
async function listEvents(id: string): Promise<readonly Body[]> {
  return requireData(await key.get(`/v1/webhooks/events?resource=${id}`)).reverse();
}
const waitForEvents = (id: string) =>
  eventually(
    () => listEvents(id),
    ({ length }) => length > 0,
  );

/** Waits until an event that was recorded later is published. */
async function publishWitness(): Promise<void> {
  const { id } = requireData(await award('mary', 1));
  await waitForEvents(id);
}

const waitForPoints = (userId: string, points: number) =>
  eventually(
    () => readMember(userId),
    (member) => member.points === points,
  );
const listRanked = async (period: string) =>
  requireData(await key.get(`${path}/leaderboard?period=${period}`)).map(({ user }: Body) => user.id as string);

/** Enters an award whose member was pending when it was decided, as a request that was overtaken does. */
async function enterLate(awardId: string, userId: string, memberId: string): Promise<void> {
  const award = {
    awardId,
    communityId,
    memberId,
    userId,
    email: null,
    points: 5,
    sourceType: 'manual',
    sourceId: null,
  };
  const levelRules = { levels: DEFAULT_LEVELS, minimumLevel: 1 };
  const command = { type: 'AwardPoints', award, levelRules, since: null, searched: 0, isKept: true } as const;
  const context = { ...createSystemContext(Date.now()), business: business.id };
  await service.get(Streams).execute(pointsDecider, memberId, command, context);
}

describe('Points for a person who has not signed in yet', () => {
  it('are kept, and are paid and published when the person joins', async () => {
    const { user_id } = await importRow('ann');
    const { id, balance } = requireData(await award('ann', 50, { source_type: 'course', source_id: 'lesson-7' }));
    await publishWitness();
    expect([balance, await listEvents(id)]).toEqual([50, []]);
    for (const period of ['all', '7d']) expect(await listRanked(period)).not.toContain(user_id);

    expect(await join('ann', user_id)).toMatchObject({ points: 50, level: 3 });
    const [event, ...others] = await waitForEvents(id);

    const listed = requireData(await key.get(`${path}/points?target_email=${emailFor('ann')}`));
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'community.points.awarded', data: listed[0] });
    for (const period of ['all', '7d'])
      await eventually(
        () => listRanked(period),
        (ranked) => ranked.includes(user_id as string),
      );
  });

  it('are awarded once for each source, before and after the person joins', async () => {
    const source = { source_type: 'course', source_id: 'lesson-8' };
    const { user_id } = await importRow('bob');
    const first = requireData(await award('bob', 20, source));
    const before = await award('bob', 20, source);
    await join('bob', user_id);
    await waitForEvents(first.id);
    const after = await award('bob', 20, source);

    expect([before, after].map(({ status, body }) => [status, body.data.id, body.data.duplicate])).toEqual([
      [200, first.id, true],
      [200, first.id, true],
    ]);
    expect(await listEvents(first.id)).toHaveLength(1);
    expect(await readMember(user_id)).toMatchObject({ points: 20 });
  });

  it('are not paid when they were reversed before, and nobody hears of them', async () => {
    const { user_id } = await importRow('cy');
    const [kept, reversed] = [requireData(await award('cy', 30)), requireData(await award('cy', 70))];
    const reversal = await reverse(reversed.id);
    expect(await join('cy', user_id)).toMatchObject({ points: 30 });
    await waitForEvents(kept.id);
    await publishWitness();
    expect([await listEvents(reversed.id), await listEvents(reversal.id)]).toEqual([[], []]);
  });

  it('are taken back by a reversal after the person joined', async () => {
    const { user_id } = await importRow('dan');
    const { id } = requireData(await award('dan', 30));
    await join('dan', user_id);
    await waitForEvents(id);
    const reversal = await reverse(id);
    expect(await waitForEvents(reversal.id)).toMatchObject([{ type: 'community.points.reversed' }]);
    expect(await readMember(user_id)).toMatchObject({ points: 0 });
    expect(await listRanked('7d')).not.toContain(user_id);
  });

  it('end when the person is removed before, also for a later return', async () => {
    const { user_id } = await importRow('eve');
    const { id } = requireData(await award('eve', 40));
    await remove(user_id);
    await waitForPoints(user_id, 0);

    expect(await importRow('eve')).toMatchObject({ status: 'updated' });
    const later = requireData(await award('eve', 5));
    expect(await join('eve', user_id)).toMatchObject({ points: 5 });
    await waitForEvents(later.id);
    expect(await listEvents(id)).toEqual([]);
    const entries = requireData(await key.get(`${path}/points?target_email=${emailFor('eve')}`));
    expect(entries.map(({ points }: Body) => points)).toEqual([5, -40, 40]);
  });

  it('are paid when their entry is recorded after the joining', async () => {
    const { user_id, member_id } = await importRow('pia');
    await join('pia', user_id);
    await enterLate('pta_late_1', user_id, member_id);
    expect(await waitForEvents('pta_late_1')).toMatchObject([{ type: 'community.points.awarded' }]);
    expect(await readMember(user_id)).toMatchObject({ points: 5 });
  });

  it('end when their entry is recorded after the removal', async () => {
    const { user_id, member_id } = await importRow('quin');
    await remove(user_id);
    await enterLate('pta_late_2', user_id, member_id);
    await eventually(
      async () => requireData(await key.get(`${path}/points?target_email=${emailFor('quin')}`)),
      ({ length }) => length === 2,
    );
    expect(await readMember(user_id)).toMatchObject({ points: 0 });
  });

  it('stay while the person is banned', async () => {
    const { user_id } = await importRow('flo');
    await award('flo', 40);
    await key.patch(`${path}/members/${user_id}`, { status: 'banned' });
    await key.patch(`${path}/members/${user_id}`, { status: 'active' });
    expect(await join('flo', user_id)).toMatchObject({ points: 40 });
  });

  it('belong to one community', async () => {
    const other = `/v1/community/communities/${(await createCommunity(key, { name: 'Weavers' })).id}`;
    const [{ user_id }] = [await importRow('gus'), await importRow('gus', {}, other)];
    await award('gus', 10);
    await award('gus', 25, {}, other);
    expect(await join('gus', user_id)).toMatchObject({ points: 10 });
    expect(await join('gus', user_id, other)).toMatchObject({ points: 25 });
  });

  it('are still found by an address that was erased, and show it no more', async () => {
    const { user_id } = await importRow('hal');
    await award('hal', 15);
    await forgetAddress(service, emailFor('hal'));
    const again = requireData(await award('hal', 5));
    expect([again.balance, again.user]).toMatchObject([20, { email: null, erased: true }]);
    expect(await join('hal', user_id)).toMatchObject({ points: 20 });
  });

  it('go to the member as whom the user had joined, and are published then', async () => {
    const before = service.createApi(await service.signToken('ivy'));
    const joined = requireData(await before.post(`${path}/join`));
    await importRow('ivy');
    const { id } = requireData(await award('ivy', 30));
    await (await signIn(service, 'ivy')).get('/v1/auth/me');
    await waitForPoints(joined.user.id, 30);
    await publishWitness();
    expect(await listEvents(id)).toEqual([]);
  });
});

describe('The points of an import', () => {
  it('are paid to active and pending members, once', async () => {
    const { user_id, status } = await importRow('kim', { points: 1200 });
    expect([status, (await readMember(user_id)).points]).toEqual(['created', 1200]);
    expect(await importRow('kim', { points: 1200 })).toMatchObject({ status: 'unchanged', error: null });
    expect(await join('kim', user_id)).toMatchObject({ points: 1200 });
    expect(await importRow('kim', { points: 1200 })).toMatchObject({ status: 'unchanged' });
    const source = { source_type: 'import', source_id: 'balance' };
    expect((await award('kim', 1200, source)).body.data).toMatchObject({ duplicate: true });
  });

  it('make the row of a known member updated', async () => {
    const { user_id } = await importRow('leo');
    await join('leo', user_id);
    expect(await importRow('leo', { points: 85 })).toMatchObject({ status: 'updated' });
    expect(await readMember(user_id)).toMatchObject({ points: 85 });
  });

  it('fail the row with another number, or after a reversal, and change nothing', async () => {
    const { user_id } = await importRow('max', { points: 10 });
    const refused = { status: 'failed', error: { code: 'points_already_awarded', field: 'members[0].points' } };
    expect(await importRow('max', { points: 11, level: 7 })).toMatchObject(refused);
    const [{ id }] = requireData(await key.get(`${path}/points?target_email=${emailFor('max')}`));
    await reverse(id);
    expect(await importRow('max', { points: 10 })).toMatchObject(refused);
    expect(await readMember(user_id)).toMatchObject({ points: 0, level: 1 });
  });

  it('may be 0 or absent', async () => {
    for (const points of [0, null, undefined]) {
      const { user_id } = await importRow('nan', { points });
      expect(await readMember(user_id)).toMatchObject({ points: 0 });
    }
  });

  it.each([-1, 1.5, 1_000_001, '5', true])('refuse %j', async (points) =>
    expect(await importRow('odd', { points })).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_points', field: 'members[0].points' },
    }),
  );

  it('are not for the owner', async () => {
    const owner = service.createApi(await service.signToken('owner', { email: emailFor('owner') }));
    await owner.get('/v1/auth/me');
    expect(await importRow('owner', { points: 5 })).toMatchObject({ error: { code: 'owner_protected' } });
    expect(
      toProblem(await owner.post(`${path}/points`, { points: 5, target_email: 'nobody@example.com' })),
    ).toMatchObject({ code: 'member_not_found' });
  });
});
