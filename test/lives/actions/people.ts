import type { Api } from '../../support/api.js';
import { refuse } from '../model/model.js';
import type { User } from '../model/people.js';
import { refer } from '../model/template.js';
import type { Person, World } from '../world/world.js';
import type { Action } from './actions.js';
import { toName } from './purchases.js';

export const peopleActions: readonly Action[] = [
  { name: 'sign in', act: async (world) => void (await signIn(world, world.choices.pick(world.people))) },
  { name: 'change the address', act: changeAddress },
  { name: 'forget a buyer', act: forget },
];

export interface Session {
  readonly api: Api;
  readonly user: User;
}

/** Signs the person in with the current address, which the provider has verified. */
export async function signIn(world: World, { name, email }: Person): Promise<Session> {
  const { model, service } = world;
  world.record(`${name} signs in as ${email}`);
  const user = model.people.signIn(name, email);
  const api = await service.signIn(name, email);
  const reply = await api.get('/v1/auth/me');
  world.expect({ status: 200 }, reply);
  await service.settle();
  const known = { id: reply.body.data.user.id, object: 'user' };
  world.require(world.names.compare(refer('user', user.key), known, 'the user'));
  return { api, user };
}

/** Verifies a new address, or one that another person no longer has. */
async function changeAddress(world: World): Promise<void> {
  const { choices, model, people } = world;
  const person = choices.pick(people);
  const fresh = `${person.name}.${model.now.slice(0, 10)}@example.com`;
  const left = people.map(({ name }) => `${name}@example.com`).filter((email) => isLeft(world, email));
  person.email = left.length > 0 && choices.isOneIn(2) ? choices.pick(left) : fresh;
  await signIn(world, person);
}

/** Whether a user had the address and has another one now. */
function isLeft({ model, people }: World, email: string): boolean {
  return !people.some((one) => one.email === email) && model.people.findCurrent(email) === undefined;
}

async function forget(world: World): Promise<void> {
  const { choices, model } = world;
  const isPending = (person: string) =>
    model.payments.all.some((payment) => payment.buyer === person && payment.status === 'pending');
  const buyers = model.buyers.all.filter(({ person }) => !isPending(person));
  if (buyers.length === 0) return;
  await forgetBuyer(world, choices.pick(buyers), choices.isOneIn(2));
}

export async function forgetBuyer(
  world: World,
  { person, key }: { readonly person: string; readonly key: string },
  endCharges: boolean,
): Promise<void> {
  const { model, api, names } = world;
  world.record(`forget ${person}, end_charges ${endCharges}`);
  const cart = model.buyers.isForgotten(person) ? null : await openCart(world, person.split(' ')[0]!);
  const outcome = model.buyers.forget(person, endCharges);
  const query = endCharges ? '?end_charges=true' : '';
  const reply = await api.delete(`/v1/commerce/buyers/${names.idOf(key)}/personal-data${query}`);
  world.expect(outcome, reply, outcome.status === 200 ? model.buyers.render(person) : null);
  if (outcome.status === 200 && cart !== null)
    world.expect(
      refuse(422, 'cart_not_open'),
      await api.post(`${cart}/checkout`, { payment_method: { token: 'tok_ok' } }),
    );
}

/** Fills a cart of the buyer, and returns its path. */
async function openCart({ api, model, names }: World, email: string): Promise<string> {
  const { id } = (await api.post('/v1/commerce/carts', { buyer: { email, name: toName(email) } })).body.data;
  const path = `/v1/commerce/carts/${id}`;
  await api.post(`${path}/lines`, { product_id: names.idOf(model.catalogue.products[0]!.key) });
  return path;
}
