import { type SubscriptionCommand, subscriptionDecider } from '../../../src/commerce/domain/subscription.js';
import type { SubscriptionEvent } from '../../../src/commerce/domain/subscription-events.js';
import { fold } from '../../../src/kernel/decider.js';
import { Rejection } from '../../../src/kernel/rejection.js';
import { given } from '../../support/given.js';
import { clubPlan, NOW } from './facts.js';
import {
  availablePlanIds,
  cancellationScheduled,
  cancelled,
  decline,
  FIRST_RETRY,
  paused,
  PERIOD_END,
  planScheduled,
  renewalFailed,
  renewalStarted,
  start,
  started,
  yearlyPlan,
} from './subscription-facts.js';

interface State {
  readonly history: readonly SubscriptionEvent[];
  readonly now: string;
}

const LATER = '2026-03-10T09:00:00.000Z';
const resumesAt = { ...paused, data: { ...paused.data, resumesAt: PERIOD_END } } as const;

const states = {
  unknown: { history: [], now: NOW },
  active: { history: [started], now: NOW },
  changing: { history: [started, planScheduled], now: NOW },
  due: { history: [started], now: PERIOD_END },
  charged: { history: [started, renewalStarted], now: PERIOD_END },
  cancelling: { history: [started, cancellationScheduled], now: NOW },
  ending: { history: [started, cancellationScheduled], now: PERIOD_END },
  paused: { history: [started, resumesAt], now: NOW },
  'paused past its period': { history: [started, resumesAt], now: LATER },
  'paused and cancelling': { history: [started, resumesAt, cancellationScheduled], now: NOW },
  past_due: { history: [started, renewalStarted, renewalFailed], now: PERIOD_END },
  'past_due, to retry': { history: [started, renewalStarted, renewalFailed], now: FIRST_RETRY },
  cancelled: { history: [started, cancelled], now: LATER },
} as const satisfies Record<string, State>;

const commands = {
  StartSubscription: { type: 'StartSubscription', start },
  'ChangePlan, another one': { type: 'ChangePlan', productId: 'prod_2', plan: yearlyPlan },
  'ChangePlan, the current one': { type: 'ChangePlan', productId: 'prod_2', plan: clubPlan },
  'ChangePlan, an archived one': {
    type: 'ChangePlan',
    productId: 'prod_2',
    plan: { ...yearlyPlan, status: 'archived' },
  },
  'ChangePrice, another one': { type: 'ChangePrice', amountCents: 5900, currency: 'EUR' },
  'ChangePrice, the current one': { type: 'ChangePrice', amountCents: 4900, currency: null },
  'ChangePrice, in another currency': { type: 'ChangePrice', amountCents: 5900, currency: 'USD' },
  WithdrawChange: { type: 'WithdrawChange' },
  PauseSubscription: { type: 'PauseSubscription', resumesAt: null, reason: null },
  'ResumeSubscription, asked for': { type: 'ResumeSubscription', resumesAt: null, availablePlanIds },
  'ResumeSubscription, as scheduled': { type: 'ResumeSubscription', resumesAt: PERIOD_END, availablePlanIds },
  'ResumeSubscription, at an old time': { type: 'ResumeSubscription', resumesAt: NOW, availablePlanIds },
  'CancelSubscription at the end': { type: 'CancelSubscription', mode: 'at_period_end', reason: null },
  'CancelSubscription immediately': { type: 'CancelSubscription', mode: 'immediately', reason: null },
  RevokeCancellation: { type: 'RevokeCancellation' },
  EndSubscription: { type: 'EndSubscription', cancelAt: PERIOD_END },
  'ChangePaymentMethod, another one': { type: 'ChangePaymentMethod', methodToken: 'tok_new' },
  'ChangePaymentMethod, the same': { type: 'ChangePaymentMethod', methodToken: 'tok_ok' },
  'StartRenewal, first attempt': {
    type: 'StartRenewal',
    periodStart: PERIOD_END,
    attempt: 1,
    requested: false,
    availablePlanIds,
  },
  'StartRenewal, second attempt': {
    type: 'StartRenewal',
    periodStart: PERIOD_END,
    attempt: 2,
    requested: false,
    availablePlanIds,
  },
  'StartRenewal, requested': {
    type: 'StartRenewal',
    periodStart: PERIOD_END,
    attempt: 2,
    requested: true,
    availablePlanIds,
  },
  RecordRenewal: {
    type: 'RecordRenewal',
    invoiceId: 'inv_1',
    payment: { paymentId: 'pay_1', paidAt: PERIOD_END },
  },
  FailRenewal: { type: 'FailRenewal', invoiceId: 'inv_1', paymentId: 'pay_1', ...decline },
} as const satisfies Record<string, SubscriptionCommand>;

type Outcomes = Readonly<Partial<Record<keyof typeof states, string>>> & { readonly otherwise: string };

const NOTHING = '';
const CHARGED = 'concurrent_update';

/** The result of each command in each state: the events, or the code of the rejection. */
const table: Record<keyof typeof commands, Outcomes> = {
  StartSubscription: { unknown: 'SubscriptionStarted', otherwise: NOTHING },
  'ChangePlan, another one': {
    active: 'ChangeScheduled',
    due: 'ChangeScheduled',
    changing: NOTHING,
    charged: CHARGED,
    cancelling: 'subscription_cancelling',
    ending: 'subscription_cancelling',
    otherwise: 'subscription_not_active',
  },
  'ChangePlan, the current one': { changing: 'ChangeWithdrawn', otherwise: 'no_change' },
  'ChangePlan, an archived one': { otherwise: 'plan_not_available' },
  'ChangePrice, another one': {
    active: 'ChangeScheduled',
    due: 'ChangeScheduled',
    changing: 'ChangeSuperseded ChangeScheduled',
    charged: CHARGED,
    cancelling: 'subscription_cancelling',
    ending: 'subscription_cancelling',
    otherwise: 'subscription_not_active',
  },
  'ChangePrice, the current one': { changing: 'ChangeWithdrawn', otherwise: 'no_change' },
  'ChangePrice, in another currency': { otherwise: 'currency_mismatch' },
  WithdrawChange: { changing: 'ChangeWithdrawn', otherwise: 'no_pending_change' },
  PauseSubscription: {
    active: 'SubscriptionPaused',
    due: 'SubscriptionPaused',
    changing: 'SubscriptionPaused ChangeDeferred',
    charged: CHARGED,
    otherwise: 'subscription_not_pausable',
  },
  'ResumeSubscription, asked for': {
    paused: 'SubscriptionResumed',
    'paused past its period': 'RenewalStarted',
    'paused and cancelling': 'subscription_cancelling',
    otherwise: 'subscription_not_paused',
  },
  'ResumeSubscription, as scheduled': { 'paused past its period': 'RenewalStarted', otherwise: NOTHING },
  'ResumeSubscription, at an old time': { otherwise: NOTHING },
  'CancelSubscription at the end': {
    active: 'CancellationScheduled',
    changing: 'ChangeWithdrawn CancellationScheduled',
    charged: 'CancellationScheduled',
    cancelling: NOTHING,
    paused: 'CancellationScheduled',
    'paused and cancelling': NOTHING,
    cancelled: 'subscription_already_cancelled',
    otherwise: 'SubscriptionCancelled',
  },
  'CancelSubscription immediately': {
    changing: 'ChangeWithdrawn SubscriptionCancelled',
    cancelled: 'subscription_already_cancelled',
    otherwise: 'SubscriptionCancelled',
  },
  RevokeCancellation: {
    cancelling: 'CancellationRevoked',
    'paused and cancelling': 'CancellationRevoked',
    otherwise: 'no_scheduled_cancellation',
  },
  EndSubscription: { ending: 'SubscriptionCancelled', otherwise: NOTHING },
  'ChangePaymentMethod, another one': {
    cancelled: 'subscription_already_cancelled',
    otherwise: 'PaymentMethodChanged',
  },
  'ChangePaymentMethod, the same': { cancelled: 'subscription_already_cancelled', otherwise: NOTHING },
  'StartRenewal, first attempt': { due: 'RenewalStarted', otherwise: NOTHING },
  'StartRenewal, second attempt': { 'past_due, to retry': 'RenewalStarted', otherwise: NOTHING },
  'StartRenewal, requested': {
    past_due: 'RenewalStarted',
    'past_due, to retry': 'RenewalStarted',
    otherwise: NOTHING,
  },
  RecordRenewal: { charged: 'SubscriptionRenewed', otherwise: NOTHING },
  FailRenewal: { charged: 'RenewalFailed', otherwise: NOTHING },
};

const cells = Object.entries(states).flatMap(([state, { history, now }]) =>
  Object.entries(commands).map(([name, command]) => {
    const { otherwise, ...outcomes } = table[name as keyof typeof commands];
    const isStart = command.type === 'StartSubscription';
    const listed = (outcomes as Record<string, string | undefined>)[state] ?? otherwise;
    return { state, name, command, history, now, outcome: state === 'unknown' && !isStart ? 'not_found' : listed };
  }),
);

describe('A subscription', () => {
  it.each(cells)('that is $state, on $name: $outcome', ({ command, history, now, outcome }) =>
    expect(run(command, history, now)).toBe(outcome),
  );

  it('starts active and is billed one period after its start', () =>
    given(subscriptionDecider).when({ type: 'StartSubscription', start }, { now: started.data.at }).then(started));
});

/** Returns the types of the decided events, or the code of the refusal. */
function run(command: SubscriptionCommand, history: readonly SubscriptionEvent[], now: string): string {
  try {
    const decided = subscriptionDecider.decide(command, fold(subscriptionDecider, history), {
      now,
      createId: (prefix) => `${prefix}_1`,
    });
    return decided.map(({ type }) => type).join(' ');
  } catch (error) {
    if (error instanceof Rejection) return error.code;
    throw error;
  }
}
