import { CREATED, type Outcome } from '../model/model.js';
import type { Offer } from '../model/offers.js';
import type { World } from '../world/world.js';
import type { Action } from './actions.js';
import { checkOut, chooseToken, setBuyerName, toName } from './purchases.js';

const PRICES = [1_000, 4_321, 7_777];

export const offerActions: readonly Action[] = [
  { name: 'offer', act: create },
  { name: 'offer', act: create },
  { name: 'send an offer', act: (world) => change(world, 'send', (offer) => world.model.offers.send(offer)) },
  { name: 'send an offer again', act: (world) => change(world, 'resend', (offer) => world.model.offers.resend(offer)) },
  { name: 'cancel an offer', act: (world) => change(world, 'cancel', (offer) => world.model.offers.cancel(offer)) },
  { name: 'accept an offer', act: accept },
  { name: 'accept an offer', act: accept },
  { name: 'accept an offer', act: accept },
];

async function create(world: World): Promise<void> {
  const { choices, model, api, names } = world;
  const { email } = choices.pick(world.people);
  const plans = model.catalogue.products.flatMap((product) => product.plans);
  const plan = choices.pick(plans.filter(({ kind }) => kind !== 'installment'));
  const [amount, send] = [choices.pick(PRICES), !choices.isOneIn(4)];
  world.record(`offer ${plan.name} to ${email} for ${amount}${send ? ', and send it' : ''}`);
  setBuyerName(world, email);
  const { outcome, offer } = model.offers.create(plan, email, amount, send);
  const ids = { product_id: names.idOf(model.catalogue.productOf(plan).key), plan_id: names.idOf(plan.key) };
  const body = { ...ids, buyer: { email, name: toName(email) }, amount_cents: amount, send };
  const reply = await api.post('/v1/commerce/offers', body);
  world.expect(outcome, reply, offer === null ? null : model.offers.render(offer));
}

async function change(world: World, verb: string, apply: (offer: Offer) => Outcome): Promise<void> {
  const offer = choose(world);
  if (offer === null) return;
  world.record(`${verb} ${offer.key}, which is ${offer.status}`);
  const outcome = apply(offer);
  const reply = await world.api.post(`/v1/commerce/offers/${world.names.idOf(offer.key)}/${verb}`);
  world.expect(outcome, reply, outcome.status === 200 ? world.model.offers.render(offer) : null);
}

/** The buyer's cart is filled with the line of the offer. */
async function accept(world: World): Promise<void> {
  const { choices, model, api, names, people } = world;
  const offer = choose(world);
  if (offer === null) return;
  const email = choices.isOneIn(8) ? choices.pick(people).email : offer.email;
  const token = chooseToken(world, offer.plan);
  world.record(`${email} accepts ${offer.key}, which is ${offer.status}, with ${token}`);
  const outcome = model.offers.refuseCart(offer, email);
  const body = { buyer: { email, name: toName(email) }, offer_id: names.idOf(offer.key) };
  const reply = await api.post('/v1/commerce/carts', body);
  world.expect(outcome, reply);
  if (outcome !== CREATED) return;
  const lines = [{ plan: offer.plan, quantity: 1 }];
  await checkOut(world, reply.body.data.id, { email, lines, token, discount: null, offer });
}

/** Returns an open offer in most cases; null without any. */
function choose({ choices, model }: World): Offer | null {
  const { all } = model.offers;
  if (all.length === 0) return null;
  const open = all.filter(({ status }) => status === 'draft' || status === 'sent');
  return choices.pick(open.length > 0 && !choices.isOneIn(5) ? open : all);
}
