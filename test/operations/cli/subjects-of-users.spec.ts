import { Users } from '../../../src/identity/users.js';
import { CommerceFixture, MONTHLY } from '../../commerce/commerce-fixture.js';
import { type CommunityFixture, startCommunity } from '../../community/community-fixture.js';
import { emailFor } from '../../community/community-users.js';
import { requireData } from '../../support/api.js';
import { CommandLine } from '../../support/command-line.js';
import { eventually } from '../../support/eventually.js';

describe('subjects forget --user', () => {
  let fixture: CommunityFixture;
  let ops: CommandLine;
  beforeAll(async () => {
    fixture = await startCommunity();
    ops = new CommandLine(fixture.service.dataDir);
  });
  afterAll(() => fixture.service.stop());

  /** Signs a subject in with the address of a name. */
  const signInAs = async (subject: string, name: string) => {
    const { service } = fixture;
    const api = service.createApi(await service.signToken(subject, { email: emailFor(name) }));
    return { api, userId: requireData(await api.get('/v1/auth/me')).user.id as string };
  };
  const show = async (query: string) => JSON.stringify((await fixture.key.get(`${fixture.path}${query}`)).body);

  it('forgets every address that the user has had, in lists, ledgers and the leaderboard', async () => {
    const { api, userId } = await signInAs('ada', 'ada-old');
    await api.post(`${fixture.path}/join`);
    await fixture.key.post(`${fixture.path}/points`, { points: 5, target_email: emailFor('ada-old') });
    const buyer = { email: emailFor('ada-old'), name: 'Ada' };
    const cart = requireData(await fixture.key.post('/v1/commerce/carts', { buyer }));
    await signInAs('ada', 'ada-new');

    const { exitCode } = await ops.run(`subjects forget --user ${userId}`);

    expect(exitCode).toBe(0);
    const pages = ['/members?per_page=100', '/points?per_page=100', '/leaderboard'];
    const shown = await eventually(
      () => Promise.all(pages.map(show)),
      (texts) => !texts.join().includes('ada-'),
    );
    expect(shown[0]).toContain(userId);
    const shownCart = requireData(await fixture.key.get(`/v1/commerce/carts/${cart.id}`));
    expect(shownCart.buyer).toMatchObject({ email: null, name: null, erased: true });
  });

  it('forgets an address that the user verifies later, with its purchases', async () => {
    const shop = await CommerceFixture.createIn(fixture.service);
    const club = await shop.createApprovedProduct({ plans: [MONTHLY] });
    const { api, userId } = await signInAs('cyd', 'cyd-old');
    await api.post(`${fixture.path}/join`);
    const buyer = { email: emailFor('cyd-new'), name: 'Cyd' };
    const order = await shop.createOrder([club], { buyer });
    await ops.runForDocument(`subjects forget --user ${userId}`);
    expect(await shop.get(`orders/${order.id}`)).toMatchObject({ buyer });
    await signInAs('cyd', 'cyd-new');

    await shop.readUntil(`orders/${order.id}`, (read) => read.buyer.erased === true);
    const { subscription } = order.line_items[0];
    await shop.readUntil(`subscriptions/${subscription.id}`, ({ status }) => status === 'cancelled');
    const member = await eventually(
      () => show(`/members/${userId}`),
      (text) => !text.includes('cyd-'),
    );
    expect(member).toContain('"email":null');
  });

  it('forgets what the user buys after the erasure only when it is asked again', async () => {
    const shop = await CommerceFixture.createIn(fixture.service);
    const club = await shop.createApprovedProduct({ plans: [MONTHLY] });
    const buyer = { email: emailFor('dot'), name: 'Dot' };
    const { userId } = await signInAs('dot', 'dot');
    const runs = [];
    for (const time of [1, 2, 3]) {
      const order = await shop.createOrder([club], { buyer });
      const path = `subscriptions/${order.line_items[0].subscription.id}`;
      expect(await shop.get(path)).toMatchObject({ status: 'active' });
      expect([time, (await ops.run(`subjects forget --user ${userId}`)).exitCode]).toEqual([time, 1]);
      runs.push((await ops.runForDocument(`subjects forget --user ${userId} --end-charges`)).forgotten.now);
      await shop.readUntil(path, ({ status }) => status === 'cancelled');
      await shop.readUntil(`orders/${order.id}`, (read) => read.buyer.erased === true);
    }
    const { forgotten } = await ops.runForDocument(`subjects forget --user ${userId}`);

    expect([...runs, forgotten.now]).toEqual([true, true, true, false]);
  });

  it('forgets the earlier address after the latest one was forgotten', async () => {
    const { api, userId } = await signInAs('bea', 'bea-old');
    await api.post(`${fixture.path}/join`);
    await signInAs('bea', 'bea-new');
    await ops.run(`subjects forget --email ${emailFor('bea-new')}`);

    const { forgotten } = await ops.runForDocument(`subjects forget --user ${userId}`);
    const again = await ops.runForDocument(`subjects forget --user ${userId}`);

    expect([forgotten.now, again.forgotten.now]).toEqual([true, false]);
  });

  it('leaves an address to the user who has it now', async () => {
    const { userId } = await signInAs('clerk-1', 'desk');
    await signInAs('clerk-1', 'clerk-home');
    const { api } = await signInAs('clerk-2', 'desk');
    const joined = requireData(await api.post(`${fixture.path}/join`));

    await ops.run(`subjects forget --user ${userId}`);

    expect(await fixture.service.get(Users).findByEmail(emailFor('desk'))).toMatchObject({ id: joined.user.id });
    const text = await show(`/members/${joined.user.id}`);
    expect(text).toContain(emailFor('desk'));
  });
});
