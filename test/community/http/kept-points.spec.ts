import { PersonalFields } from '../../../src/engine/encryption/personal-fields.js';
import { type Api, type ApiResponse, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import type { Service } from '../../support/service.js';
import { startCommunity } from '../community-fixture.js';
import { createCommunity, emailFor, signIn } from '../community-users.js';

let service: Service;
let key: Api;
let path: string;
beforeAll(async () => void ({ service, key, path } = await startCommunity()));
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
    const personal = service.get(PersonalFields);
    await personal.forget(personal.subjectOf(emailFor('hal')));
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
