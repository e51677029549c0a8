import { addMs, DAY_MS } from '../../kernel/clock.js';
import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';
import type { Buyer } from './buyer.js';
import type { Charge, ChargeResult, PaymentMethod } from './charge.js';
import {
  applyDispute,
  decideDispute,
  type Disputable,
  DISPUTE_EVENT_VERSIONS,
  type DisputeCommand,
  type DisputeEvent,
} from './dispute.js';
import { type FundsReleased, releaseFunds } from './funds.js';
import { calculatePercentage } from './money.js';
import {
  evolveRefunds,
  NO_REFUNDS,
  REFUND_EVENT_VERSIONS,
  type RefundEvent,
  type Refunds,
  sumRefunds,
} from './refund.js';
import { decideRefund, type RefundCommand } from './refund-decisions.js';

/** The fee for every charge. A refund does not return it. */
const FEE_PERCENT = 3;
/** The time between a sale and the release of its funds to the seller. */
const FUNDS_DELAY_MS = 7 * DAY_MS;
/** The time between the sale and its dispute at the simulated gateway. */
const DISPUTE_DELAY_MS = DAY_MS;
/** The delay before the first status check: long for a pending charge, short after a lost response. */
const CHECK_DELAY_MS = { pending: 60 * 60 * 1000, unknown: 1000 };

export type PaymentEvent =
  | Fact<'PaymentStarted', Charge & { at: string }>
  | Fact<
      'PaymentUnsettled',
      { paymentId: string; orderId: string; outcome: 'pending' | 'unknown'; checkAt: string; at: string }
    >
  | Fact<'PaymentSucceeded', PaymentSuccess>
  | Fact<'PaymentFailed', PaymentFailure>
  | FundsReleased
  | RefundEvent
  | DisputeEvent;

/** `method` is the declined card; older events do not have it. */
interface PaymentFailure {
  readonly paymentId: string;
  readonly orderId: string;
  readonly code: string;
  readonly detail: string;
  readonly hard: boolean;
  readonly method?: PaymentMethod | null;
  readonly at: string;
}

/** `businessId`, `buyer` and `currency` are of the charge; older events do not have them. */
export interface PaymentSuccess {
  readonly paymentId: string;
  readonly businessId?: string;
  readonly orderId: string;
  readonly buyer?: Buyer;
  readonly currency?: string;
  readonly invoiceId: string;
  readonly gatewayReference: string;
  readonly method: PaymentMethod;
  readonly feeCents: number;
  readonly netCents: number;
  readonly fundsAt: string;
  /** The time at which the simulated gateway opens a dispute of the payment; missing without one. */
  readonly disputeAt?: string;
  readonly at: string;
}

export interface SucceededPayment extends Disputable {
  readonly status: 'succeeded';
  readonly charge: Charge;
  readonly success: PaymentSuccess;
  readonly fundsReleased: boolean;
  readonly refunds: Refunds;
}

export type Payment =
  | { readonly status: 'unknown' }
  | { readonly status: 'started' | 'unsettled'; readonly charge: Charge }
  | SucceededPayment
  | {
      readonly status: 'failed';
      readonly charge: Charge;
      readonly failure: { readonly code: string; readonly detail: string; readonly hard: boolean };
    };

/** Returns whether the buyer has received back everything that the payment took. */
export function isFullyRefunded(payment: Payment): boolean {
  if (payment.status !== 'succeeded') return false;
  const returned = payment.refunds.list.filter(({ status }) => status === 'succeeded');
  return sumRefunds(returned) >= payment.charge.amountCents;
}

function evolve(payment: Payment, event: PaymentEvent): Payment {
  if (event.type === 'PaymentStarted') return { status: 'started', charge: event.data };
  if (payment.status === 'unknown') return payment;

  const { charge } = payment;
  switch (event.type) {
    case 'PaymentUnsettled':
      return { status: 'unsettled', charge };
    case 'PaymentSucceeded':
      return { status: 'succeeded', charge, success: event.data, fundsReleased: false, refunds: NO_REFUNDS };
    case 'PaymentFailed':
      return { status: 'failed', charge, failure: event.data };
    case 'FundsReleased':
      return payment.status === 'succeeded' ? { ...payment, fundsReleased: true } : payment;
    case 'RefundRequested':
    case 'RefundRejected':
    case 'RefundUnsettled':
    case 'RefundSucceeded':
    case 'RefundFailed':
      return payment.status === 'succeeded' ? { ...payment, refunds: evolveRefunds(payment.refunds, event) } : payment;
    case 'PaymentDisputed':
    case 'DisputeFeeCharged':
    case 'DisputeClosed':
      return applyDispute(payment, event);
  }
}

export type PaymentCommand =
  | { readonly type: 'StartPayment'; readonly charge: Charge }
  | { readonly type: 'SettlePayment'; readonly result: ChargeResult }
  | { readonly type: 'ReleaseFunds' }
  | RefundCommand
  | DisputeCommand;

function decide(command: PaymentCommand, payment: Payment, x: DecisionContext): readonly PaymentEvent[] {
  if (command.type === 'StartPayment')
    return payment.status === 'unknown' ? [{ type: 'PaymentStarted', data: { ...command.charge, at: x.now } }] : [];
  if (payment.status === 'unknown') throw Rejection.notFound();

  switch (command.type) {
    case 'SettlePayment':
      return payment.status === 'started' || payment.status === 'unsettled'
        ? settle(command.result, payment, x.now)
        : [];
    case 'ReleaseFunds':
      return payment.status === 'succeeded' && !payment.fundsReleased ? [releaseFunds(payment, x.now)] : [];
    case 'RecordDispute':
    case 'CloseDispute':
      return payment.status === 'succeeded' ? decideDispute(command, payment, x) : [];
    case 'RequestRefund':
    case 'RejectRefund':
    case 'SettleRefund':
    case 'ReverseRefund':
      if (payment.status === 'succeeded') return decideRefund(command, payment, x);
      throw new Rejection('payment_not_refundable', 'Only a payment that succeeded can be refunded.');
  }
}

function settle(
  result: ChargeResult,
  payment: Extract<Payment, { status: 'started' | 'unsettled' }>,
  at: string,
): readonly PaymentEvent[] {
  const { paymentId, orderId } = payment.charge;
  switch (result.status) {
    case 'succeeded':
      return [{ type: 'PaymentSucceeded', data: toSuccess(result, payment.charge, at) }];
    case 'declined':
      return [{ type: 'PaymentFailed', data: toFailure(result, payment.charge, at) }];
    case 'pending':
    case 'unknown': {
      const checkAt = addMs(at, CHECK_DELAY_MS[result.status]);
      const unsettled = { paymentId, orderId, outcome: result.status, checkAt, at };
      return payment.status === 'unsettled' ? [] : [{ type: 'PaymentUnsettled', data: unsettled }];
    }
  }
}

function toSuccess(result: Extract<ChargeResult, { status: 'succeeded' }>, charge: Charge, at: string): PaymentSuccess {
  const { paymentId, businessId, orderId, invoiceId, buyer, amountCents, currency } = charge;
  const { reference: gatewayReference, method } = result;
  const feeCents = calculatePercentage(amountCents, FEE_PERCENT);
  const netCents = amountCents - feeCents;
  return {
    paymentId,
    businessId,
    orderId,
    invoiceId,
    buyer,
    currency,
    gatewayReference,
    method,
    feeCents,
    netCents,
    fundsAt: addMs(at, FUNDS_DELAY_MS),
    ...(result.isDisputed && { disputeAt: addMs(at, DISPUTE_DELAY_MS) }),
    at,
  };
}

function toFailure(
  { code, detail, hard, method }: Extract<ChargeResult, { status: 'declined' }>,
  { paymentId, orderId }: Charge,
  at: string,
): PaymentFailure {
  return { paymentId, orderId, code, detail, hard, method, at };
}

export const paymentDecider: Decider<Payment, PaymentCommand, PaymentEvent> = {
  category: 'payment',
  clock: 'business',
  versions: {
    PaymentStarted: 1,
    PaymentUnsettled: 1,
    PaymentSucceeded: 1,
    PaymentFailed: 1,
    FundsReleased: 1,
    ...REFUND_EVENT_VERSIONS,
    ...DISPUTE_EVENT_VERSIONS,
  },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
