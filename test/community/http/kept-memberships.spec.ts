import { type Api, requireData } from '../../support/api.js';
import type { Service } from '../../support/service.js';
import { createCommunity, emailFor, signIn } from '../community-users.js';
import {
  expectRemoval,
  joinPaid,
  ONE_TIME,
  type PaidCommunityFixture,
  startPaidCommunities,
} from '../paid-community-fixture.js';

interface Person {
  readonly name: string;
  readonly api: Api;
  readonly path: string;
  readonly product: string;
  readonly orders: { payments: readonly { id: string }[] }[];
}

/** A step in the life of a member, and what it answers. */
type Step = (person: Person) => Promise<unknown>;

let paid: PaidCommunityFixture;
let service: Service;
beforeAll(async () => {
  paid = await startPaidCommunities();
  ({ service } = paid);
});
afterAll(() => service.stop());

const buy: Step = async ({ name, product, orders }) => orders.push(await paid.buy(name, product));
const join: Step = async ({ api, path }) => expect(await joinPaid(api, path)).toBe(201);
const leave: Step = async ({ api, path }) => requireData(await api.post(`${path}/leave`));
const beImported: Step = ({ name, path }) => importRow(path, { email: emailFor(name) });
const beImportedWithLevel: Step = ({ name, path }) => importRow(path, { email: emailFor(name), level: 3 });
const beInvited: Step = ({ name, path }) =>
  paid.key.post(`${path}/invites`, { email: emailFor(name) }).then(requireData);
const accept: Step = async (person) => {
  const invite = (await beInvited(person)) as { id: string };
  requireData(await person.api.post(`/v1/community/invites/${invite.id}/accept`));
};
const beBannedAndForgiven: Step = async ({ api, path }) => {
  const { id } = requireData(await api.get('/v1/auth/me')).user;
  for (const status of ['banned', 'active']) requireData(await paid.key.patch(`${path}/members/${id}`, { status }));
};

async function importRow(path: string, row: object) {
  return requireData(await paid.key.post(`${path}/members/import`, { members: [row] }));
}

/** Plays the steps, then refunds every order. Waits until another buyer of the same product has lost the membership. */
async function play(name: string, steps: readonly Step[]): Promise<Person> {
  const product = await paid.createProduct(ONE_TIME);
  const path = await paid.createPaid(product);
  const [person, witness] = await Promise.all(
    [name, `${name}-witness`].map(async (own): Promise<Person> => {
      const api = await signIn(service, own);
      await api.get('/v1/auth/me');
      return { name: own, api, path, product, orders: [] };
    }),
  );
  for (const step of steps) await step(person!);
  for (const step of [buy, join]) await step(witness!);
  for (const order of [...person!.orders, ...witness!.orders]) requireData(await paid.refund(order));
  await expectRemoval(witness!.api, path);
  return person!;
}

describe('A buyer whose purchase is paid back', () => {
  it.each([
    ['was imported after joining', 'ada', [buy, join, beImported]],
    ['was imported with a level after joining', 'amy', [buy, join, beImportedWithLevel]],
    ['was imported before buying', 'ben', [beImported, buy]],
    ['was imported between buying and joining', 'bob', [buy, beImported]],
    ['accepted an invite before buying', 'cat', [accept, buy]],
    ['accepted an invite after buying', 'dan', [buy, accept]],
    ['joined while an invite was pending', 'eva', [beInvited, buy, join]],
    ['was invited between buying and joining', 'fay', [buy, beInvited, join]],
    ['was imported after a ban had ended', 'gil', [buy, join, beBannedAndForgiven, beImported]],
    ['was imported, and banned for a time', 'hal', [buy, join, beImported, beBannedAndForgiven]],
    ['was imported, and bought twice', 'ida', [buy, join, beImported, buy]],
  ] as const)('stays a member who %s', async (_, name, steps) => {
    const { api, path } = await play(name, steps);
    expect((await api.get(`${path}/members`)).status).toBe(200);
  });

  it.each([
    ['left after an import, and bought', 'jan', [beImported, leave, buy, join]],
    ['left after accepting an invite, and bought', 'kim', [accept, leave, buy, join]],
    ['was banned for a time', 'leo', [buy, join, beBannedAndForgiven]],
  ] as const)('does not stay a member who %s', async (_, name, steps) => {
    const { api, path } = await play(name, steps);
    await expectRemoval(api, path);
  });

  it('stays a member who joined before the community was paid', async () => {
    const product = await paid.createProduct(ONE_TIME);
    const { id } = await createCommunity(paid.key, { name: 'Open at first' });
    const path = `/v1/community/communities/${id}`;
    const [early, late] = [await signIn(service, 'mia'), await signIn(service, 'noa')];
    requireData(await early.post(`${path}/join`));
    requireData(await paid.key.patch(path, { tier: 'paid', product_id: product }));
    await late.get('/v1/auth/me');
    const orders = [await paid.buy('mia', product), await paid.buy('noa', product)];
    expect(await joinPaid(late, path)).toBe(201);
    for (const order of orders) requireData(await paid.refund(order));
    await expectRemoval(late, path);
    expect((await early.get(`${path}/members`)).status).toBe(200);
  });
});

describe('The import of a buyer who is a member', () => {
  it('has an unchanged row each time when it gives no other role or level', async () => {
    const person: { results?: readonly unknown[] } = {};
    const importTwice: Step = async (one) => {
      person.results = [await beImported(one), await beImported(one)];
    };
    await play('olga', [buy, join, importTwice]);
    expect(person.results).toMatchObject([{ unchanged: 1 }, { unchanged: 1 }]);
  });
});
