import {
  type RefundRelease,
  type RefundReservation,
  sellerBalanceDecider,
  type SellerBalanceEvent,
} from '../../../src/commerce/domain/seller-balance.js';
import { fold } from '../../../src/kernel/decider.js';
import { given } from '../../support/given.js';
import { NOW } from './facts.js';

const owner = { businessId: 'biz_1', currency: 'EUR' };
const search = { since: NOW, searched: 0 };
const credited: SellerBalanceEvent = {
  type: 'SaleCredited',
  data: { ...owner, paymentId: 'pay_1', amountCents: 10_000, feeCents: 300, netCents: 9_700, at: NOW },
};
const payout = (amountCents: number) => ({ ...owner, payoutId: 'po_1', amountCents, paidAt: NOW });
const paidOut = (amountCents: number): SellerBalanceEvent => ({
  type: 'PayoutPaid',
  data: { ...payout(amountCents), at: NOW },
});
const refund = (amountCents: number, feeCents = 300, refundId = 'ref_1'): RefundReservation => {
  return { ...owner, refundId, paymentId: 'pay_1', amountCents, feeCents };
};
const reserve = (reservation: RefundReservation) => ({ type: 'ReserveRefund', refund: reservation, search }) as const;
const reserved = (reservation: RefundReservation): SellerBalanceEvent => ({
  type: 'RefundReserved',
  data: { ...reservation, at: NOW },
});
const refused = (reservation: RefundReservation): SellerBalanceEvent => ({
  type: 'ReservationRefused',
  data: { ...reservation, at: NOW },
});
const release: RefundRelease = {
  ...owner,
  refundId: 'ref_1',
  paymentId: 'pay_1',
  amountCents: 6_000,
  feeChangeCents: -300,
};
const released: SellerBalanceEvent = { type: 'ReservationReleased', data: { ...release, at: NOW } };

describe("A refund on the seller's balance", () => {
  it('is reserved once', () => {
    given(sellerBalanceDecider, credited)
      .when(reserve(refund(6_000)))
      .then(reserved(refund(6_000)));
    given(sellerBalanceDecider, credited, reserved(refund(6_000)))
      .when(reserve(refund(6_000)))
      .thenNothing();
  });

  it('may take the balance and the fee of its payment', () => {
    given(sellerBalanceDecider, credited)
      .when(reserve(refund(10_000)))
      .then(reserved(refund(10_000)));
    given(sellerBalanceDecider, credited)
      .when(reserve(refund(10_001)))
      .then(refused(refund(10_001)));
  });

  it('may take the fees of earlier refunds', () => {
    const rest = refund(4_000, 0, 'ref_2');
    given(sellerBalanceDecider, credited, reserved(refund(6_000)))
      .when(reserve(rest))
      .then(reserved(rest));
  });

  it('stays refused when the balance grows', () =>
    given(sellerBalanceDecider, refused(refund(6_000)), credited)
      .when(reserve(refund(6_000)))
      .thenNothing());

  it('is released once', () => {
    const before = [credited, reserved(refund(6_000))] as const;
    const command = { type: 'ReleaseReservation', release, search } as const;
    given(sellerBalanceDecider, ...before)
      .when(command)
      .then(released);
    given(sellerBalanceDecider, ...before, released)
      .when(command)
      .thenNothing();
    expect(fold(sellerBalanceDecider, [...before, released])).toMatchObject({
      amountCents: 9_700,
      refundedFeesCents: 0,
    });
  });
});

describe('A payout', () => {
  const payOut = (amountCents: number) => ({ type: 'PayOut', payout: payout(amountCents), search }) as const;

  it('takes at most the balance, once', () => {
    given(sellerBalanceDecider, credited).when(payOut(9_700)).then(paidOut(9_700));
    given(sellerBalanceDecider, credited, paidOut(9_700)).when(payOut(9_700)).thenNothing();
    given(sellerBalanceDecider, credited)
      .when(payOut(9_701))
      .thenRejects('insufficient_seller_balance', 'amount_cents');
  });

  it('takes no fees of refunds', () =>
    given(sellerBalanceDecider, credited, reserved(refund(6_000)))
      .when(payOut(3_701))
      .thenRejects('insufficient_seller_balance'));
});
