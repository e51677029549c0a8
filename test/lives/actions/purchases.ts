import type { Plan } from '../model/catalogue.js';
import { DISCOUNTS } from '../model/discounts.js';
import type { Purchase } from '../model/orders.js';
import type { Person, World } from '../world/world.js';
import type { Action } from './actions.js';
import { joinCommunity } from './members.js';

const TOKENS = [
  ...['tok_ok', 'tok_ok', 'tok_ok', 'tok_ok', 'tok_fail_on_renewal', 'tok_fail_on_renewal'],
  ...['tok_declined', 'tok_lost_card', 'tok_refund_declined', 'tok_disputed'],
];

/** The gateway settles these charges later. */
const LATE_TOKENS = ['tok_pending', 'tok_timeout'];

export const purchaseActions: readonly Action[] = [
  { name: 'buy a subscription', act: (world) => buy(world, choosePlan(world, 'subscription')) },
  { name: 'buy a course', act: (world) => buy(world, choosePlan(world, 'one_time')) },
  { name: 'buy in parts', act: (world) => buy(world, choosePlan(world, 'installment')) },
  { name: 'buy and join', act: buyAndJoin },
];

function choosePlan({ choices, model }: World, kind: Plan['kind']): Plan {
  const { catalogue } = model;
  const plans = catalogue.products.flatMap((product) => product.plans).filter((plan) => plan.kind === kind);
  const isForSale = (plan: Plan) => catalogue.refuseLine(catalogue.productOf(plan), plan).status === 201;
  return choices.pickMostly(plans.filter(isForSale), plans);
}

/** Buys from the club, which has a community. */
async function buyAndJoin(world: World): Promise<void> {
  const person = world.choices.pick(world.people);
  const [club] = world.model.catalogue.products;
  await buy(world, world.choices.pick(club!.plans.filter(({ isActive }) => isActive)), person);
  await world.service.settle();
  await joinCommunity(world, person, world.model.communities.all[0]!);
}

async function buy(world: World, plan: Plan, person = world.choices.pick(world.people)): Promise<void> {
  const { choices } = world;
  const discount = choices.isOneIn(4) ? choices.pick(DISCOUNTS) : null;
  const token = chooseToken(world, plan);
  const quantity = plan.kind === 'one_time' ? choices.pick([1, 3]) : 1;
  await buyPlan(world, plan, person, { discount, token, quantity });
}

export async function buyPlan(
  world: World,
  plan: Plan,
  { email }: Person,
  { discount, token, quantity }: Pick<Purchase, 'discount' | 'token'> & { readonly quantity: number },
): Promise<void> {
  const { model, api, names } = world;
  world.record(`${email} buys ${quantity} ${plan.name} with ${token} ${discount?.code ?? ''}`);

  const code = discount === null ? {} : { discount_code: discount.code };
  const cart = (await api.post('/v1/commerce/carts', { buyer: { email, name: toName(email) }, ...code })).body.data;
  setBuyerName(world, email);
  model.buyers.meet(email);
  const product = model.catalogue.productOf(plan);
  const added = model.catalogue.refuseLine(product, plan);
  const line = { product_id: names.idOf(product.key), plan_id: names.idOf(plan.key), quantity };
  world.expect(added, await api.post(`/v1/commerce/carts/${cart.id}/lines`, line));
  const lines = [{ plan, quantity }];
  if (added.status === 201) await checkOut(world, cart.id, { email, lines, token, discount, offer: null });
}

/** Only what is paid once is paid by a charge that is settled later. */
export function chooseToken({ choices }: World, { kind }: Plan): string {
  return kind === 'one_time' && choices.isOneIn(3) ? choices.pick(LATE_TOKENS) : choices.pick(TOKENS);
}

export async function checkOut(world: World, cartId: string, purchase: Purchase): Promise<void> {
  const { model, api } = world;
  setBuyerName(world, purchase.email);
  const { outcome, order } = model.orders.checkOut(purchase);
  const body = { payment_method: { token: purchase.token } };
  const reply = await api.post(`/v1/commerce/carts/${cartId}/checkout`, body);
  const expected = outcome.status === 201 ? { ...model.orders.render(order), redirect_url: null } : null;
  world.expect(outcome, reply, expected);
}

export function setBuyerName({ model }: World, email: string): void {
  model.buyers.setName(email, toName(email));
}

export function toName(email: string): string {
  return email.split('@')[0]!;
}
