import type { Mutant } from '../../mutants/mutant.js';

/** A small wrong change between two nouns, and the seed or script that found it in the last search. */
export interface Mutation extends Omit<Mutant, 'specs'> {
  readonly life: number | string;
}

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'a refund does not end the entitlement',
    file: 'commerce/domain/payment.ts',
    from: "  if (payment.status !== 'succeeded') return false;",
    to: "  if (payment.status !== 'failed') return false;",
    life: 'the refund of a purchase ends the membership',
  },
  {
    name: 'a cancelled subscription keeps its entitlement',
    file: 'community/processes/purchases.ts',
    from: "if (subscription.status === 'cancelled') return false;",
    to: "if (subscription.status === 'cancelled') return true;",
    life: 6,
  },
  {
    name: 'an archived plan is still renewed into',
    file: 'commerce/domain/renewal.ts',
    from: "const isLost = change?.kind === 'plan' && !availablePlanIds.includes(change.to.planId!);",
    to: 'const isLost = change?.kind === null && availablePlanIds.length === 0;',
    life: 'a subscription is not renewed into a plan that was archived',
  },
  {
    name: 'a declined refund stays subtracted from the balance',
    file: 'commerce/projections/balances.ts',
    from: 'RefundFailed: (balance, event) => changeOfPayment(balance, event, event.data.amountCents),',
    to: 'RefundFailed: (balance, event) => changeOfPayment(balance, event, 0),',
    life: 4,
  },
  {
    name: 'a refund is not counted for its buyer',
    file: 'commerce/projections/buyers.ts',
    from: 'RefundSucceeded: (buyer, { data }) => buyer && addRefund(buyer, data),',
    to: 'RefundSucceeded: (buyer) => buyer,',
    life: 1,
  },
  {
    name: 'a refund is not shown on its invoice',
    file: 'commerce/projections/invoices.ts',
    from: 'RefundSucceeded: (invoice, { data }) => invoice && addRefund(invoice, data),',
    to: 'RefundSucceeded: (invoice) => invoice,',
    life: 1,
  },
  {
    name: 'an imported member stays pending after the sign-in',
    file: 'community/processes/activate-members.ts',
    from: "if (event.type === 'UserEmailVerified') await this.activateAll(event);",
    to: "if (event.type === 'UserEmailVerified') return;",
    life: 2,
  },
  {
    name: 'a subscription that was given up voids its invoice',
    file: 'commerce/commands/renewals.steps.ts',
    from: "const type = reason === PAYMENT_FAILED ? 'MarkInvoiceUncollectible' : 'VoidInvoice';",
    to: "const type = reason === null ? 'MarkInvoiceUncollectible' : 'VoidInvoice';",
    life: 2,
  },
  {
    name: 'a discount covers every later period',
    file: 'commerce/domain/subscription-terms.ts',
    from: 'return discount !== null && isCovered(discount, periodStart)',
    to: 'return discount !== null',
    life: 2,
  },
  {
    name: 'a reversed award still counts for its member',
    file: 'community/projections/members.ts',
    from: 'points: data.balance,\n        _daily: takePoints(',
    to: 'points: member.points,\n        _daily: takePoints(',
    life: 6,
  },
  {
    name: 'a refund of a part ends the entitlement',
    file: 'commerce/domain/payment.ts',
    from: 'sumRefunds(returned) >= payment.charge.amountCents',
    to: 'sumRefunds(returned) > 0',
    life: 'a refund of a part keeps the membership',
  },
  {
    name: 'a refund does not end the entitlement of a subscription that has been cancelled',
    file: 'community/processes/purchases.ts',
    from: 'return !isEnding || !payments.some(isFullyRefunded);',
    to: 'return !isEnding || payments.length > 0;',
    life: 'a refund ends the membership of a subscription that has been cancelled',
  },
  {
    name: 'the refund of one purchase ends those of the same buyer',
    file: 'community/processes/purchases.ts',
    from: 'return !payments.some((payment) => isFullyRefunded(payment) || isLost(payment));',
    to: 'return payments.length === 0;',
    life: 'the refund of one of two purchases keeps the membership',
  },
  {
    name: 'a lost dispute does not end the entitlement',
    file: 'community/processes/end-entitlements.ts',
    from: "event.data.outcome !== 'lost'",
    to: "event.data.outcome === 'lost'",
    life: 'a lost dispute ends the membership until a renewal',
  },
  {
    name: 'a won dispute gives nothing back',
    file: 'commerce/domain/dispute.ts',
    from: "outcome === 'won' ? amountCents + feeCents : 0",
    to: "outcome === 'won' ? feeCents : 0",
    life: 'a dispute takes what was paid out',
  },
  {
    name: 'a dispute leaves its payment refundable',
    file: 'commerce/projections/payments.ts',
    from: 'payment && addRefundable(payment, data.changeCents ?? 0)',
    to: 'payment && addRefundable(payment, 0)',
    life: 'a won dispute keeps the membership',
  },
];
