import { addMs } from '../../kernel/clock.js';
import type { DecisionContext } from '../../kernel/decider.js';
import { Rejection } from '../../kernel/rejection.js';
import { type Disputable, sumDisputed } from './dispute.js';
import {
  findRefund,
  isActive,
  type Refund,
  type RefundEvent,
  type RefundFacts,
  type RefundReason,
  type Refunds,
  type RequestedRefund,
  type ReturnedRefund,
  sumRefunds,
} from './refund.js';
import type { RefundResult } from './refund-result.js';

/** The delay before the first status check: long for a pending refund, short after a lost response. */
const CHECK_DELAY_MS = { pending: 60 * 60 * 1000, unknown: 1000 };

/** `amountCents` null: all that remains. */
export interface RefundTerms {
  readonly refundId: string;
  readonly amountCents: number | null;
  readonly currency: string | null;
  readonly reason: RefundReason | null;
  readonly note: string | null;
}

export type RefundCommand =
  | { readonly type: 'RequestRefund'; readonly terms: RefundTerms }
  | { readonly type: 'RejectRefund'; readonly refundId: string }
  | { readonly type: 'SettleRefund'; readonly refundId: string; readonly result: RefundResult }
  | { readonly type: 'ReverseRefund'; readonly refundId: string; readonly code: string; readonly detail: string };

/** The facts of a succeeded payment on which its refunds depend. */
interface RefundablePayment extends Disputable {
  readonly charge: Omit<RefundFacts, 'refundId'> & Pick<RequestedRefund, 'subscriptionId'>;
  readonly success: { readonly feeCents: number };
  readonly fundsReleased: boolean;
  readonly refunds: Refunds;
}

/** @throws Rejection when the payment does not have this amount left in this currency, also because of a dispute */
export function decideRefund(
  command: RefundCommand,
  payment: RefundablePayment,
  { now: at }: DecisionContext,
): readonly RefundEvent[] {
  const refundId = command.type === 'RequestRefund' ? command.terms.refundId : command.refundId;
  const found = findRefund(payment.refunds.list, refundId);
  if (command.type === 'RequestRefund') return found === undefined ? [request(command.terms, payment, at)] : [];
  if (found === undefined) throw Rejection.notFound();

  switch (command.type) {
    case 'RejectRefund':
      return found.status === 'requested' ? [reject(found, payment, at)] : [];
    case 'SettleRefund':
      return found.status === 'requested' || found.status === 'unsettled'
        ? settle(command.result, found, payment, at)
        : [];
    case 'ReverseRefund':
      return isActive(found) ? [fail(command, found, payment, at)] : [];
  }
}

function request(terms: RefundTerms, payment: RefundablePayment, at: string): RefundEvent {
  const { charge, success, fundsReleased, refunds } = payment;
  const { paymentId, orderId, invoiceId, businessId, subscriptionId, buyer, currency } = charge;
  const remaining = charge.amountCents - sumRefunds(refunds.list);
  const { refundId, reason, note } = terms;
  const undisputed = Math.max(0, remaining - sumDisputed(payment));
  const amountCents = terms.amountCents ?? (undisputed || remaining);
  if (remaining === 0)
    throw new Rejection('payment_already_refunded', 'The whole amount of the payment is refunded, or will be.');
  if (amountCents > remaining)
    throw new Rejection('refund_amount_exceeds_refundable', `The maximum is ${remaining}.`, 'amount_cents');
  if (amountCents > undisputed)
    throw new Rejection(
      'payment_disputed',
      `Beside its disputes, ${undisputed} of the payment is left.`,
      'amount_cents',
    );
  if (terms.currency !== null && terms.currency !== currency)
    throw new Rejection('currency_mismatch', `The currency of the payment is ${currency}.`, 'currency');

  const facts = { refundId, paymentId, orderId, invoiceId, businessId, subscriptionId, buyer, amountCents, currency };
  const feeCents = success.feeCents - refunds.countedFeeCents;
  return {
    type: 'RefundRequested',
    data: { ...facts, reason, note, feeCents, fundsReleased, at },
  };
}

function settle(result: RefundResult, refund: Refund, payment: RefundablePayment, at: string): readonly RefundEvent[] {
  const facts = toFacts(refund);
  switch (result.status) {
    case 'succeeded':
      return [{ type: 'RefundSucceeded', data: { ...facts, gatewayReference: result.reference, at } }];
    case 'declined':
      return [fail(result, refund, payment, at)];
    case 'pending':
    case 'unknown': {
      const checkAt = addMs(at, CHECK_DELAY_MS[result.status]);
      const unsettled = { ...facts, outcome: result.status, checkAt, at };
      return refund.status === 'unsettled' ? [] : [{ type: 'RefundUnsettled', data: unsettled }];
    }
  }
}

/** The balance has not added the fee of a refund that it refused. */
function reject(refund: Refund, payment: RefundablePayment, at: string): RefundEvent {
  const counted = payment.refunds.countedFeeCents - refund.requested.feeCents;
  return { type: 'RefundRejected', data: endRefund(refund, payment, counted, at) };
}

function fail(
  { code, detail }: { readonly code: string; readonly detail: string },
  refund: Refund,
  payment: RefundablePayment,
  at: string,
): RefundEvent {
  const end = endRefund(refund, payment, payment.refunds.countedFeeCents, at);
  return { type: 'RefundFailed', data: { ...end, code, detail, reversed: refund.status === 'succeeded' } };
}

function endRefund(refund: Refund, payment: RefundablePayment, countedFeeCents: number, at: string): ReturnedRefund {
  const isLast = payment.refunds.list.filter(isActive).length === 1;
  const feeChangeCents = (isLast ? 0 : payment.success.feeCents) - countedFeeCents;
  return { ...toFacts(refund), feeChangeCents, fundsReleased: payment.fundsReleased, at };
}

function toFacts({ requested }: Refund): RefundFacts {
  const { refundId, paymentId, orderId, invoiceId, businessId, buyer, amountCents, currency } = requested;
  return { refundId, paymentId, orderId, invoiceId, businessId, buyer, amountCents, currency };
}
