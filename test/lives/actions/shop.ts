import { requireData } from '../../support/api.js';
import type { NewPlan, Plan, Product } from '../model/catalogue.js';
import { DISCOUNTS } from '../model/discounts.js';
import { CREATED, OK } from '../model/model.js';
import type { World } from '../world/world.js';
import type { Action } from './actions.js';

const plan = { kind: 'subscription', currency: 'EUR', count: 1, parts: null } as const;
const CLUB: readonly NewPlan[] = [
  { ...plan, name: 'Monthly', amount: 4900, interval: 'month' },
  { ...plan, name: 'Six weeks', amount: 2501, interval: 'week', count: 6 },
  { ...plan, name: 'Yearly', amount: 49000, interval: 'year' },
  { ...plan, kind: 'one_time', name: 'For ever', amount: 99_000, interval: null },
];
const COURSE: readonly NewPlan[] = [
  { ...plan, kind: 'one_time', name: 'At once', amount: 9999, interval: null },
  { ...plan, kind: 'installment', name: 'In parts', amount: 3333, interval: 'month', parts: 4 },
];
const ABROAD: readonly NewPlan[] = [
  { ...plan, kind: 'one_time', name: 'At once', amount: 1500, currency: 'USD', interval: null },
];
const MORE: NewPlan = { ...plan, name: 'Quarterly', amount: 12000, interval: 'month', count: 3 };

export async function openShop(world: World): Promise<void> {
  for (const [name, plans] of [
    ['A club', CLUB],
    ['A course', COURSE],
    ['A book', ABROAD],
  ] as const) {
    await createProduct(world, name, plans);
    await world.service.advanceTo((world.model.now = nextSecond(world.model.now)));
  }
  for (const product of world.model.catalogue.products) await approve(world, product);
  for (const { code, percent, duration, months } of DISCOUNTS) {
    const body = { code, percent_off: percent, duration, ...(months !== null && { months }) };
    requireData(await world.api.post('/v1/commerce/discounts', body));
  }
}

export const shopActions: readonly Action[] = [
  { name: 'rename a product', act: (world) => rename(world, world.choices.pick(world.model.catalogue.products)) },
  { name: 'review a product', act: (world) => review(world, world.choices.pick(world.model.catalogue.products)) },
  { name: 'replace a plan', act: replacePlan },
  { name: 'take a product out of the shop, or back', act: changeStatus },
  { name: 'pay out', act: paySomeOut },
  { name: 'let the receiver fail', act: async ({ receiver, choices }) => receiver.fail(choices.pick([0, 1, 2])) },
];

async function createProduct(world: World, name: string, plans: readonly NewPlan[]): Promise<void> {
  const product = world.model.catalogue.create(name, plans);
  const reply = await world.api.post('/v1/commerce/products', { name, plans: plans.map(toBody) });
  world.expect(CREATED, reply, world.model.catalogue.render(product));
}

async function rename(world: World, product: Product): Promise<void> {
  const name = `${product.name.split(',')[0]!}, ${world.model.now.slice(0, 10)}`;
  const outcome = world.model.catalogue.rename(product, name);
  const reply = await world.api.patch(`/v1/commerce/products/${world.names.idOf(product.key)}`, { name });
  world.expect(outcome, reply, world.model.catalogue.render(product));
}

async function changeStatus(world: World): Promise<void> {
  const { choices, model, api, names } = world;
  const inactive = model.catalogue.products.find(({ wanted }) => wanted === 'inactive');
  // Soon back: without products, nothing is sold.
  const product = inactive ?? choices.pick(model.catalogue.products);
  const status = inactive === undefined ? 'inactive' : 'active';
  world.record(`${product.name} becomes ${status}`);
  const outcome = model.catalogue.setStatus(product, status);
  const reply = await api.patch(`/v1/commerce/products/${names.idOf(product.key)}`, { status });
  world.expect(outcome, reply, model.catalogue.render(product));
}

async function review(world: World, product: Product): Promise<void> {
  if (product.approval === 'denied' || product.approval === 'denied_changed') return rename(world, product);
  if (product.approval === 'review' || world.choices.isOneIn(2)) return approve(world, product);
  const outcome = world.model.catalogue.deny(product, 'Not this.');
  const reviewer = await world.service.signIn('reviewer', null, true);
  const path = `/v1/commerce/products/${world.names.idOf(product.key)}/deny`;
  world.expect(outcome, await reviewer.post(path, { reason: 'Not this.' }));
}

async function approve(world: World, product: Product): Promise<void> {
  const outcome = world.model.catalogue.approve(product);
  const reviewer = await world.service.signIn('reviewer', null, true);
  world.expect(outcome, await reviewer.post(`/v1/commerce/products/${world.names.idOf(product.key)}/approve`));
}

/** Archives a plan of the club, in most cases one that is about to be renewed into, and offers another one. */
async function replacePlan(world: World): Promise<void> {
  const { catalogue, subscriptions } = world.model;
  const club = catalogue.products[0]!;
  const pending = subscriptions.all.map((one) => subscriptions.changes.pendingOf(one));
  const wanted = club.plans.filter((plan) => pending.some((one) => one?.type === 'plan' && one.to.plan === plan));
  const old: Plan = world.choices.pickMostly(wanted, club.plans);
  await archivePlan(world, club, old);
  const added = { ...world.choices.pick([MORE, ...CLUB, ...CLUB]), name: `Plan of ${world.model.now.slice(0, 10)}` };
  catalogue.addPlan(club, added);
  world.expect(CREATED, await world.api.post(plansOf(world, club), toBody(added)), catalogue.render(club));
}

export async function archivePlan(world: World, product: Product, plan: Plan): Promise<void> {
  const { catalogue } = world.model;
  world.record(`archive ${plan.name} of ${product.name}`);
  catalogue.archivePlan(product, plan);
  const reply = await world.api.delete(`${plansOf(world, product)}/${world.names.idOf(plan.key)}`);
  world.expect(OK, reply, catalogue.render(product));
}

function plansOf({ names }: World, { key }: Product): string {
  return `/v1/commerce/products/${names.idOf(key)}/plans`;
}

async function paySomeOut(world: World): Promise<void> {
  const all = Math.max(1, world.model.balance.amountOf('EUR'));
  await payOut(world, world.choices.pick([1, 5_000, all, all + 1]));
}

export async function payOut(world: World, amount: number): Promise<void> {
  const { outcome, payout } = world.model.balance.payOut(amount, 'EUR');
  const reply = await world.api.post('/v1/commerce/payouts', { amount_cents: amount, currency: 'EUR' });
  world.expect(outcome, reply, payout === null ? null : world.model.balance.renderPayout(payout));
}

function toBody({ kind, name, amount, currency, interval, count, parts }: NewPlan): object {
  const cycle = interval === null ? {} : { interval, interval_count: count };
  return { kind, name, amount_cents: amount, currency, ...cycle, ...(parts !== null && { installments_count: parts }) };
}

function nextSecond(at: string): string {
  return new Date(Date.parse(at) + 1_000).toISOString();
}
