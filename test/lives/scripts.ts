import type { Action } from './actions/actions.js';
import { joinCommunity } from './actions/members.js';
import { refundPayment } from './actions/payments.js';
import { buyPlan } from './actions/purchases.js';
import { archivePlan } from './actions/shop.js';
import { cancelAtPeriodEnd, changePlanOf, sendRequest } from './actions/subscriptions.js';
import type { Plan, Product } from './model/catalogue.js';
import type { World } from './world/world.js';

type ClubPlan = 'Monthly' | 'Yearly' | 'For ever';

/** Sequences that random actions hardly ever play. The actions are about 9 days apart. */
const SCRIPTS: Readonly<Record<string, readonly Action[]>> = {
  'the refund of a purchase ends the membership': [buy('For ever', 1), buyAndJoin('For ever'), refundFrom(1)],
  'a refund of a part keeps the membership': [buy('For ever', 1), buyAndJoin('For ever'), refundFrom(1, 98_999)],
  'a refund in parts ends the membership with its last part': [
    ...[buy('For ever', 1), buyAndJoin('For ever'), refundFrom(1, 98_999), refundFrom(1)],
  ],
  'the refund of one of two purchases keeps the membership': [
    ...[buy('For ever', 0), buy('For ever', 1), buyAndJoin('For ever'), refundFrom(2)],
  ],
  'a refund ends the membership of a subscription that has been cancelled': [
    ...[buy('For ever', 1), buyAndJoin('Yearly'), cancel(), refundFrom(1)],
  ],
  'a subscription is not renewed into a plan that was archived': [
    ...[buy('Monthly', 0), changePlan('Yearly'), archive('Yearly')],
  ],
  'a subscription is renewed into a plan when another one was archived': [
    ...[buy('Monthly', 0), changePlan('Yearly'), archive('Monthly')],
  ],
};

/** `LIVES_SCRIPT`, or all scripts in a long run (`LIVES_SEEDS`); none for a chosen seed. */
export const PLAYED_SCRIPTS: readonly string[] = selectScripts(process.env);

export function findScript(name: string): readonly Action[] {
  return SCRIPTS[name]!;
}

function selectScripts({ LIVES_SEED, LIVES_SEEDS, LIVES_SCRIPT }: NodeJS.ProcessEnv): readonly string[] {
  if (LIVES_SCRIPT !== undefined) return [LIVES_SCRIPT];
  return LIVES_SEED === undefined && LIVES_SEEDS !== undefined ? Object.keys(SCRIPTS) : [];
}

function buy(name: ClubPlan, person: number): Action {
  return { name: 'buy', act: (world) => buyFromClub(world, name, person) };
}

function buyAndJoin(name: ClubPlan): Action {
  return {
    name: 'buy and join',
    act: async (world) => {
      await buyFromClub(world, name, 0);
      await world.service.settle();
      await joinCommunity(world, world.people[0]!, world.model.communities.all[0]!);
    },
  };
}

/** Refunds the payment with this number, from 0 on. */
function refundFrom(payment: number, amount: number | null = null): Action {
  return { name: 'refund', act: (world) => refundPayment(world, world.model.payments.all[payment]!, amount) };
}

function cancel(): Action {
  return { name: 'cancel', act: (world) => sendRequest(world, subscriptionOf(world), cancelAtPeriodEnd(null)) };
}

function changePlan(name: ClubPlan): Action {
  return {
    name: 'change the plan',
    act: (world) => {
      const one = subscriptionOf(world);
      return sendRequest(world, one, changePlanOf(world, one, planOf(world, name)));
    },
  };
}

function archive(name: ClubPlan): Action {
  return { name: 'archive a plan', act: (world) => archivePlan(world, clubOf(world), planOf(world, name)) };
}

function buyFromClub(world: World, name: ClubPlan, person: number): Promise<void> {
  const paid = { discount: null, token: 'tok_ok', quantity: 1 };
  return buyPlan(world, planOf(world, name), world.people[person]!, paid);
}

function subscriptionOf({ model }: World) {
  return model.subscriptions.all[0]!;
}

function planOf(world: World, name: ClubPlan): Plan {
  return clubOf(world).plans.find((plan) => plan.name === name)!;
}

function clubOf({ model }: World): Product {
  return model.catalogue.products[0]!;
}
