import { requireData } from '../../support/api.js';
import { ManualClock } from '../../support/clock.js';
import { eventually } from '../../support/eventually.js';
import { forgetAddress } from '../../support/forget.js';
import { type CommunityFixture, startCommunity } from '../community-fixture.js';
import { createCommunity, emailFor, toProblem } from '../community-users.js';

const A_SECOND_MS = 1_000;

describe('The members of a community whose addresses change', () => {
  let fixture: CommunityFixture;
  beforeAll(async () => {
    fixture = await startCommunity();
  });
  afterAll(() => fixture.service.stop());

  /** Signs a subject in with the address of a name. */
  const signInAs = async (subject: string, name: string) => {
    const { service } = fixture;
    const api = service.createApi(await service.signToken(subject, { email: emailFor(name) }));
    const { user } = requireData(await api.get('/v1/auth/me'));
    return Object.assign(api, { userId: user.id as string });
  };
  const listByEmail = async (name: string) =>
    (await fixture.key.get(`${fixture.path}/members?email=${emailFor(name)}`)).body.data as { user: { id: string } }[];
  const award = (name: string, points = 5) =>
    fixture.key.post(`${fixture.path}/points`, { points, target_email: emailFor(name) });

  it('are shown and found by their current address, also in their ledger', async () => {
    const joiner = await signInAs('moving', 'before');
    await joiner.post(`${fixture.path}/join`);
    const { id } = requireData(await award('before'));
    await signInAs('moving', 'after');

    const [found] = await eventually(
      () => listByEmail('after'),
      (members) => members.length === 1,
    );

    expect(found).toMatchObject({ user: { id: joiner.userId, email: emailFor('after') } });
    expect(await listByEmail('before')).toEqual([]);
    expect(toProblem(await award('before'))).toMatchObject({ status: 422, code: 'member_not_found' });
    expect(requireData(await award('after')).user).toMatchObject({ id: joiner.userId, email: emailFor('after') });
    const entries = (await fixture.key.get(`${fixture.path}/points?target_email=${emailFor('after')}`)).body.data;
    expect(entries.map(({ user }: { user: { email: string } }) => user.email)).toEqual(
      Array.from({ length: 2 }, () => emailFor('after')),
    );
    const reversal = await fixture.key.post(`${fixture.path}/points/${id}/reversal`, { reason: 'A mistake' });
    expect(requireData(reversal).user.email).toBe(emailFor('after'));
    const leaders = (await fixture.key.get(`${fixture.path}/leaderboard`)).body.data;
    expect(JSON.stringify(leaders)).not.toContain(emailFor('before'));
  });

  it('do not get what is meant for the next person with their former address', async () => {
    const first = await signInAs('emp-1', 'hr');
    await first.post(`${fixture.path}/join`);
    await signInAs('emp-1', 'private');
    const second = await signInAs('emp-2', 'hr');
    await second.post(`${fixture.path}/join`);

    const imported = requireData(
      await fixture.key.post(`${fixture.path}/members/import`, {
        members: [{ email: emailFor('hr'), role: 'moderator' }],
      }),
    );

    expect(imported.results).toMatchObject([{ status: 'updated', user_id: second.userId }]);
    const roleOf = async (userId: string) =>
      requireData(await fixture.key.get(`${fixture.path}/members/${userId}`)).role as string;
    expect([await roleOf(first.userId), await roleOf(second.userId)]).toEqual(['member', 'moderator']);
    expect(requireData(await award('hr')).user.id).toBe(second.userId);
  });

  it('are known again, while they are pending, by an import after an erasure', async () => {
    const importRow = async () =>
      requireData(await fixture.key.post(`${fixture.path}/members/import`, { members: [{ email: emailFor('back') }] }))
        .results[0];
    const { user_id: userId } = await importRow();
    const show = async () => requireData(await fixture.key.get(`${fixture.path}/members/${userId}`));
    for (const time of [1, 2]) {
      await forgetAddress(fixture.service, emailFor('back'));
      const erased = await eventually(show, ({ user }) => user.email === null);
      expect([time, erased]).toMatchObject([time, { status: 'pending', user: { erased: true } }]);

      expect(await importRow()).toMatchObject({ status: 'updated', user_id: userId });
      const again = await eventually(show, ({ user }) => user.email !== null);
      expect([time, again.status, again.user]).toEqual([
        time,
        'pending',
        { object: 'user', id: userId, email: emailFor('back'), name: null },
      ]);
      expect(await importRow()).toMatchObject({ status: 'unchanged' });
    }
  });

  it('are known again by a sign-in after an erasure', async () => {
    const member = await signInAs('lost', 'lost');
    await member.post(`${fixture.path}/join`);
    const show = async () => requireData(await fixture.key.get(`${fixture.path}/members/${member.userId}`));
    for (const time of [1, 2]) {
      await forgetAddress(fixture.service, emailFor('lost'));
      const erased = await eventually(show, ({ user }) => user.email === null);
      expect([time, erased]).toMatchObject([time, { status: 'active', user: { erased: true } }]);
      const later = new ManualClock(Date.now() + time * A_SECOND_MS);
      const token = await fixture.service.signToken('lost', { email: emailFor('lost') }, later);
      requireData(await fixture.service.createApi(token).get('/v1/auth/me'));
      const again = await eventually(show, ({ user }) => user.email !== null);
      expect([time, again.user]).toEqual([
        time,
        { object: 'user', id: member.userId, email: emailFor('lost'), name: null },
      ]);
    }
    expect(requireData(await award('lost')).user).toMatchObject({ id: member.userId, email: emailFor('lost') });
  });

  it('leave their former address to a pending member, who joins with the first sign-in', async () => {
    const first = await signInAs('clerk-1', 'desk');
    await first.post(`${fixture.path}/join`);
    await signInAs('clerk-1', 'clerk-home');

    const imported = requireData(
      await fixture.key.post(`${fixture.path}/members/import`, { members: [{ email: emailFor('desk') }] }),
    );
    expect(imported.results).toMatchObject([{ status: 'created' }]);
    expect(imported.results[0].user_id).not.toBe(first.userId);
    const second = await signInAs('clerk-2', 'desk');
    const joined = await eventually(
      () => second.get(`${fixture.path}/members/${second.userId}`),
      ({ body }) => body.data?.status === 'active',
    );

    expect(second.userId).toBe(imported.results[0].user_id);
    expect(requireData(joined)).toMatchObject({ id: imported.results[0].member_id, status: 'active' });
  });

  it('activate the pending member of their new address when they join', async () => {
    await signInAs('guest', 'guest-old');
    await fixture.key.post(`${fixture.path}/members/import`, {
      members: [{ email: emailFor('guest-new'), role: 'moderator' }],
    });
    const guest = await signInAs('guest', 'guest-new');

    await guest.post(`${fixture.path}/join`);

    const found = requireData(await fixture.key.get(`${fixture.path}/members/${guest.userId}`));
    expect(found).toMatchObject({ role: 'moderator', status: 'active' });
  });

  it('accept an invite of the address that passed to them', async () => {
    const { id } = await createCommunity(fixture.key, { name: 'Weavers' });
    await signInAs('boss-1', 'boss');
    const former = await signInAs('boss-1', 'boss-home');
    const next = await signInAs('boss-2', 'boss');
    const invite = requireData(
      await fixture.key.post(`/v1/community/communities/${id}/invites`, { email: emailFor('boss') }),
    );

    expect((await former.post(`/v1/community/invites/${invite.id}/accept`)).status).toBe(404);
    expect(requireData(await next.post(`/v1/community/invites/${invite.id}/accept`))).toMatchObject({
      status: 'accepted',
    });
  });
});
