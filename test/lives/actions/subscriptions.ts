import type { Plan } from '../model/catalogue.js';
import type { Outcome } from '../model/model.js';
import { SubscriptionRequests } from '../model/subscription-requests.js';
import type { Subscription } from '../model/subscriptions.js';
import { addDays } from '../model/times.js';
import type { World } from '../world/world.js';
import type { Action } from './actions.js';

const LATER_TOKENS = ['tok_ok', 'tok_ok', 'tok_fail_on_renewal', 'tok_insufficient_funds'];
const PRICES = [3_333, 5_100, 12_345];

interface Request {
  readonly path: string;
  readonly method?: 'PUT' | 'DELETE';
  readonly body?: object;
  readonly apply: (requests: SubscriptionRequests, one: Subscription) => Outcome;
}

const CHOICES: Readonly<Record<string, (world: World, one: Subscription) => Request>> = {
  'change the plan': (world, one) => {
    const { choices, model } = world;
    const { plans } = model.catalogue.productOf(one.plan);
    const others = plans.filter((plan) => plan.isActive && plan.kind === 'subscription' && plan !== one.plan);
    return changePlanOf(world, one, choices.pickMostly(others, plans));
  },
  'change the price': ({ choices }, one) => {
    const amount = choices.pick(PRICES.filter((price) => price !== one.amount));
    return { path: 'price', body: { amount_cents: amount }, apply: (requests) => requests.changePrice(one, amount) };
  },
  'withdraw the change': () => ({
    path: 'pending-change',
    method: 'DELETE',
    apply: (requests, one) => requests.withdrawChange(one),
  }),
  pause: ({ choices, model }) => {
    const resumesAt = choices.isOneIn(2) ? addDays(model.now, choices.pick([10, 45])) : null;
    const body = resumesAt === null ? {} : { resumes_at: resumesAt };
    return { path: 'pause', body, apply: (requests, one) => requests.pause(one, resumesAt) };
  },
  resume: () => ({ path: 'resume', apply: (requests, one) => requests.resume(one) }),
  'cancel at the end of the period': ({ choices }) => cancelAtPeriodEnd(choices.isOneIn(2) ? 'Too dear' : null),
  'cancel at once': () => ({
    path: 'cancel',
    body: { mode: 'immediately' },
    apply: (requests, one) => requests.cancelNow(one, null),
  }),
  uncancel: () => ({ path: 'uncancel', apply: (requests, one) => requests.uncancel(one) }),
  'change the card': ({ choices }) => {
    const token = choices.pick(LATER_TOKENS);
    const body = { token };
    return { path: 'payment-method', method: 'PUT', body, apply: (requests, one) => requests.changeCard(one, token) };
  },
};

export const subscriptionActions: readonly Action[] = Object.entries(CHOICES).map(([name, choose]) => ({
  name,
  act: (world) => request(world, choose),
}));

export function changePlanOf({ names }: World, one: Subscription, plan: Plan): Request {
  const body = { plan_id: names.idOf(plan.key) };
  return { path: 'plan', body, apply: (requests) => requests.changePlan(one, plan) };
}

export function cancelAtPeriodEnd(reason: string | null): Request {
  const body = reason === null ? {} : { reason };
  return { path: 'cancel', body, apply: (requests, one) => requests.cancelAtPeriodEnd(one, reason) };
}

async function request(world: World, choose: (world: World, one: Subscription) => Request): Promise<void> {
  const { choices, model } = world;
  const { all } = model.subscriptions;
  if (all.length === 0) return;
  // An ended subscription refuses each request in the same way.
  const running = all.filter(({ status }) => status !== 'cancelled');
  const one = choices.pick(running.length === 0 || choices.isOneIn(10) ? all : running);
  await sendRequest(world, one, choose(world, one));
}

export async function sendRequest(world: World, one: Subscription, request: Request): Promise<void> {
  const { model, api, names } = world;
  const { path, method = 'POST', body, apply } = request;
  world.record(`${method} ${path} of ${one.key}, which is ${one.status}: ${JSON.stringify(body ?? null)}`);
  const outcome = apply(new SubscriptionRequests(model), one);
  const reply = await api.send(method, `/v1/commerce/subscriptions/${names.idOf(one.key)}/${path}`, body);
  world.expect(outcome, reply, outcome.status === 200 ? model.subscriptions.render(one) : null);
}
