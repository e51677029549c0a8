import type Stripe from 'stripe';
import { toIso } from '../../../kernel/clock.js';
import type { DisputeReport } from '../../domain/dispute.js';
import { fromStripeAmount } from './stripe-amount.js';

/** An inquiry (`warning_…`) moves no money: it is a dispute only when the bank escalates it. */
const STATUSES: Readonly<Partial<Record<Stripe.Dispute.Status, DisputeReport['status']>>> = {
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  won: 'won',
  prevented: 'won',
  lost: 'lost',
};

/** Returns what Stripe says of a dispute; null for an inquiry, and for a status that is not known. */
export function toDisputeReport(dispute: Stripe.Dispute): DisputeReport | null {
  const { id: gatewayReference, amount, reason, evidence_details: evidence } = dispute;
  const status = STATUSES[dispute.status];
  if (status === undefined) return null;
  const currency = dispute.currency.toUpperCase();
  return {
    gatewayReference,
    amountCents: fromStripeAmount(amount, currency),
    currency,
    reason,
    status,
    feeCents: fromStripeAmount(sumFees(dispute), currency),
    evidenceDueAt: evidence?.due_by == null ? null : toIso(evidence.due_by * 1000),
  };
}

/**
 * Sums the fees of the withdrawals, in the units of Stripe. A fee in another currency is not counted: Stripe takes it
 * from an account that no balance of the seller shows.
 */
function sumFees({ balance_transactions: transactions = [], currency }: Stripe.Dispute): number {
  return transactions
    .filter((moved) => moved.amount < 0 && moved.currency === currency)
    .reduce((sum, { fee }) => sum + fee, 0);
}
