import type { Mode } from '../../kernel/event.js';
import type { Owned } from '../../kernel/ownership.js';
import type { EventOf, Projection } from '../../kernel/projection.js';
import {
  currency,
  describe,
  type DocumentOf,
  enumOf,
  integer,
  KIND,
  list,
  object,
  resource,
  type ValueOf,
} from '../../kernel/schema.js';
import type { DisputeEvent } from '../domain/dispute.js';
import type { PaymentEvent } from '../domain/payment.js';
import type { SellerBalanceEvent } from '../domain/seller-balance.js';

const currencyBalanceSchema = object({
  currency,
  amount_cents: describe(
    integer,
    'The net amount of all sales less refunds, payouts and the disputes that are open or lost, in cents. The fees of refunded sales and disputes can make it negative; sales then raise it again, and until it is high enough no payout and no refund is possible.',
  ),
  pending_cents: describe(integer, 'The part of the amount whose funds are not released yet, in cents.'),
});

export const balanceSchema = resource('Balance', {
  object: describe(enumOf('balance'), KIND),
  balances: describe(
    list(currencyBalanceSchema),
    'The balance in each currency of the sales, in the order of the codes.',
  ),
});

/** The balances of a business in all currencies. */
export interface BalanceDocument extends DocumentOf<typeof balanceSchema>, Owned {
  readonly id: string;
  /** The net amounts by currency whose funds are not released, less their refunds and disputes; it can be negative. */
  readonly _pending: Readonly<Record<string, number>>;
}

type CurrencyBalance = ValueOf<typeof currencyBalanceSchema>;

type BalanceEvent =
  | Extract<SellerBalanceEvent, { type: 'SaleCredited' | 'PayoutPaid' }>
  | Extract<PaymentEvent, { type: 'FundsReleased' | 'RefundRequested' | 'RefundRejected' | 'RefundFailed' }>
  | DisputeEvent;

/** Older events do not have the business: they change no document. */
export const balances: Projection<BalanceDocument, BalanceEvent> = {
  name: 'balances',
  version: 2,
  id: ({ data: { businessId }, meta }) => (businessId === undefined ? null : balanceIdOf(businessId, meta.mode)),
  indexes: [],
  on: {
    SaleCredited: (balance, event) => change(balance, event, event.data.netCents, event.data.netCents),
    PayoutPaid: (balance, event) => change(balance, event, -event.data.amountCents, 0),
    FundsReleased: (balance, event) => change(balance, event, 0, -event.data.availableCents!),
    RefundRequested: (balance, event) => changeOfPayment(balance, event, -event.data.amountCents),
    RefundRejected: (balance, event) => changeOfPayment(balance, event, event.data.amountCents),
    RefundFailed: (balance, event) => changeOfPayment(balance, event, event.data.amountCents),
    PaymentDisputed: (balance, event) => changeOfPayment(balance, event, event.data.changeCents ?? 0),
    DisputeFeeCharged: (balance, event) => changeOfPayment(balance, event, event.data.changeCents),
    DisputeClosed: (balance, event) => changeOfPayment(balance, event, event.data.changeCents ?? 0),
  },
};

export function balanceIdOf(businessId: string, mode: Mode): string {
  return `${businessId}-${mode}`;
}

/** A refund or a dispute reduces the pending amount while the funds of its payment are pending. */
function changeOfPayment(
  balance: BalanceDocument | null,
  event: EventOf<BalanceEvent, 'RefundRequested' | 'RefundRejected' | 'RefundFailed' | DisputeEvent['type']>,
  cents: number,
): BalanceDocument {
  return change(balance, event, cents, event.data.fundsReleased ? 0 : cents);
}

function change(
  balance: BalanceDocument | null,
  { data, meta }: EventOf<BalanceEvent, BalanceEvent['type']>,
  amountCents: number,
  pendingCents: number,
): BalanceDocument {
  const { businessId, currency } = data as { readonly businessId: string; readonly currency: string };
  const known = balance ?? toEmptyBalance(businessId, meta.mode);
  const none = { currency, amount_cents: 0, pending_cents: 0 };
  const before = known.balances.find((other) => other.currency === currency) ?? none;
  const amount = before.amount_cents + amountCents;
  const pending = (known._pending[currency] ?? 0) + pendingCents;
  const after = { currency, amount_cents: amount, pending_cents: limitToPart(pending, amount) };
  const others = known.balances.filter((other) => other.currency !== currency);
  const _pending = { ...known._pending, [currency]: pending };
  return { ...known, balances: [...others, after].sort(byCurrency), _pending };
}

/** The pending amount is a part of the balance: a payout or the fee of a refunded sale may have taken it. */
function limitToPart(pendingCents: number, amountCents: number): number {
  return Math.max(0, Math.min(pendingCents, amountCents));
}

export function toEmptyBalance(businessId: string, mode: Mode): BalanceDocument {
  const owner: Owned = { _business: businessId, _mode: mode };
  return { id: balanceIdOf(businessId, mode), object: 'balance', balances: [], _pending: {}, ...owner };
}

function byCurrency(a: CurrencyBalance, b: CurrencyBalance): number {
  return a.currency < b.currency ? -1 : 1;
}
