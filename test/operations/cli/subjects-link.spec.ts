import { setTimeout as sleep } from 'node:timers/promises';
import { type CommunityFixture, startCommunity } from '../../community/community-fixture.js';
import { emailFor } from '../../community/community-users.js';
import { requireData } from '../../support/api.js';
import { CommandLine } from '../../support/command-line.js';
import { eventually } from '../../support/eventually.js';

const LONG_MS = 60_000;
const LOOK_AGAIN_MS = 100;

describe('subjects link', () => {
  let fixture: CommunityFixture;
  let ops: CommandLine;
  beforeAll(async () => {
    fixture = await startCommunity();
    ops = new CommandLine(fixture.service.dataDir);
  });
  afterAll(() => fixture.service.stop());

  const signIn = async (subject: string, name: string) => {
    const { service } = fixture;
    const api = service.createApi(await service.signToken(subject, { email: emailFor(name) }));
    return { api, user: requireData(await api.get('/v1/auth/me')).user as { id: string; email: string | null } };
  };
  const signInUntil = (subject: string, name: string, id: string) =>
    eventually(
      async () => {
        await sleep(LOOK_AGAIN_MS);
        return (await signIn(subject, name)).user;
      },
      (user) => user.id === id,
    );

  it(
    'lets a person who has no address because of a first account use that account',
    async () => {
      const first = await signIn('ann-old', 'ann');
      await first.api.post(`${fixture.path}/join`);
      const second = await signIn('ann-new', 'ann');
      const words = `subjects link --user ${second.user.id} --to ${first.user.id}`;
      const { linked } = await ops.runForDocument(words);
      const again = await ops.run(words);
      const user = await signInUntil('ann-new', 'ann', first.user.id);
      const posts = await (await signIn('ann-new', 'ann')).api.get(`${fixture.path}/posts`);

      expect(second.user).toMatchObject({ email: null, email_conflict: true });
      expect(linked).toEqual({ user: second.user.id, to: first.user.id });
      expect(again).toMatchObject({ exitCode: 0, err: '' });
      expect(user).toEqual({ id: first.user.id, email: emailFor('ann') });
      expect(posts.status).toBe(200);
    },
    LONG_MS,
  );

  it(
    'gives the address to the user that stays, also when the other one has it',
    async () => {
      const first = await signIn('ben-old', 'ben');
      const second = await signIn('ben-new', 'ben');
      await second.api.post('/v1/businesses', { name: 'Ben Ltd' });
      const refused = await ops.run(`subjects link --user ${second.user.id} --to ${first.user.id}`);
      const done = await ops.run(`subjects link --user ${first.user.id} --to ${second.user.id}`);
      const user = await signInUntil('ben-old', 'ben', second.user.id);

      expect([refused.exitCode, refused.err]).toEqual([
        1,
        expect.stringMatching(new RegExp(`^${second.user.id} would lose biz_\\w+: link the other user to it`)),
      ]);
      expect(done.exitCode).toBe(0);
      expect(user).toEqual({ id: second.user.id, email: emailFor('ben') });
      expect((await signIn('ben-new', 'ben')).user).toEqual(user);
    },
    LONG_MS,
  );

  it('is refused for users of two addresses, for an unknown user, for one user, and for a linked one', async () => {
    const [cleo, dora] = [(await signIn('cleo', 'cleo')).user.id, (await signIn('dora', 'dora')).user.id];
    const cleo2 = (await signIn('cleo-2', 'cleo')).user.id;
    const cleo3 = (await signIn('cleo-3', 'cleo')).user.id;
    await ops.run(`subjects link --user ${cleo2} --to ${cleo}`);
    const refusals = [];
    for (const [user, to] of [
      [cleo, dora],
      ['usr_nobody', cleo],
      [cleo, cleo],
      [cleo2, cleo3],
      [cleo3, cleo2],
    ])
      refusals.push(await ops.run(`subjects link --user ${user} --to ${to}`));

    expect(refusals.map(({ exitCode, err }) => [exitCode, err.trim()])).toEqual([
      [1, `${cleo} and ${dora} have an e-mail address each: only users of one address can be linked`],
      [1, 'there is no user usr_nobody'],
      [1, 'name two different users'],
      [1, `${cleo2} is linked to ${cleo} already`],
      [1, `${cleo2} is linked to ${cleo} already`],
    ]);
  });

  it('makes erasure by user forget the addresses of both', async () => {
    const first = await signIn('eve-old', 'eve');
    const second = await signIn('eve-new', 'eve-work');
    const buyer = { email: emailFor('eve-work'), name: 'Eve' };
    const cart = requireData(await fixture.key.post('/v1/commerce/carts', { buyer }));
    await signIn('eve-new', 'eve');
    await ops.run(`subjects link --user ${second.user.id} --to ${first.user.id}`);
    const { exitCode } = await ops.run(`subjects forget --user ${first.user.id}`);
    const shown = await eventually(
      async () => requireData(await fixture.key.get(`/v1/commerce/carts/${cart.id}`)),
      ({ buyer: { erased } }) => erased === true,
    );

    expect(exitCode).toBe(0);
    expect(shown.buyer).toMatchObject({ email: null, name: null, erased: true });
  });

  it('is refused while one of the two users is forgotten, and keeps both forgotten afterwards', async () => {
    const first = await signIn('fay-old', 'fay');
    const second = await signIn('fay-new', 'fay');
    await ops.run(`subjects forget --user ${first.user.id}`);
    const link = `subjects link --user ${second.user.id} --to ${first.user.id}`;
    const refused = [
      await ops.run(link),
      await ops.run(`subjects link --user ${first.user.id} --to ${second.user.id}`),
    ];
    const forget = `subjects forget --user ${second.user.id}`;
    const results = [await ops.runForDocument(forget), await ops.runForDocument(forget)];
    const linked = await ops.run(link);

    const reason = `${first.user.id} is forgotten: forget ${second.user.id} first, so that the person stays forgotten`;
    expect(refused.map(({ exitCode, err }) => [exitCode, err.trim()])).toEqual([
      [1, reason],
      [1, reason],
    ]);
    expect(results.map(({ forgotten }) => forgotten)).toEqual([
      { user: second.user.id, subject: null, now: true },
      { user: second.user.id, subject: null, now: false },
    ]);
    expect(linked).toMatchObject({ exitCode: 0, err: '' });
  });
});
