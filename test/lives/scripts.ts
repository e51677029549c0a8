import type { Action } from './actions/actions.js';
import { decide } from './actions/disputes.js';
import { joinCommunity } from './actions/members.js';
import { refundPayment } from './actions/payments.js';
import { forgetBuyer } from './actions/people.js';
import { buyPlan } from './actions/purchases.js';
import { archivePlan, payOut } from './actions/shop.js';
import { cancelAtPeriodEnd, changePlanOf, sendRequest } from './actions/subscriptions.js';
import type { Plan, Product } from './model/catalogue.js';
import type { DisputeOutcome } from './model/disputes.js';
import type { World } from './world/world.js';

type ClubPlan = 'Monthly' | 'Yearly' | 'For ever';

const DISPUTED = 'tok_disputed';

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
  'a lost dispute ends the membership': [buy('For ever', 1), buyAndJoin('For ever', DISPUTED), close('lost')],
  'a won dispute keeps the membership': [buy('For ever', 1), buyAndJoin('For ever', DISPUTED), close('won')],
  'a lost dispute ends the membership until a renewal': [
    ...[buyAndJoin('Monthly', DISPUTED), close('lost'), refundFrom(0), joinAgain(), joinAgain(), joinAgain()],
  ],
  'a dispute is about the whole payment, also after a refund': [
    ...[
      buy('For ever', 1),
      buy('For ever', 0, DISPUTED),
      refundFrom(1, 98_999),
      refundFrom(1),
      close('won'),
      refundFrom(1),
    ],
  ],
  'a dispute takes what was paid out': [
    ...[buy('For ever', 0, DISPUTED), payOutAll(), close('won'), payOutAll(), buy('Monthly', 1), payOutAll()],
  ],
  'the dispute of a forgotten buyer ends': [buy('For ever', 0, DISPUTED), forget(), close('lost')],
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

function buy(name: ClubPlan, person: number, token = 'tok_ok'): Action {
  return { name: 'buy', act: (world) => buyFromClub(world, name, person, token) };
}

function buyAndJoin(name: ClubPlan, token = 'tok_ok'): Action {
  return {
    name: 'buy and join',
    act: async (world) => {
      await buyFromClub(world, name, 0, token);
      await world.service.settle();
      await join(world);
    },
  };
}

function joinAgain(): Action {
  return { name: 'join again', act: join };
}

/** The bank decides the first dispute. */
function close(outcome: DisputeOutcome): Action {
  return { name: 'close a dispute', act: (world) => decide(world, world.model.disputes.all[0]!, outcome) };
}

function payOutAll(): Action {
  return { name: 'pay out', act: (world) => payOut(world, Math.max(1, world.model.balance.amountOf('EUR'))) };
}

function forget(): Action {
  return { name: 'forget a buyer', act: (world) => forgetBuyer(world, world.model.buyers.all[0]!, false) };
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

function join(world: World): Promise<void> {
  return joinCommunity(world, world.people[0]!, world.model.communities.all[0]!);
}

function buyFromClub(world: World, name: ClubPlan, person: number, token: string): Promise<void> {
  const paid = { discount: null, token, quantity: 1 };
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
