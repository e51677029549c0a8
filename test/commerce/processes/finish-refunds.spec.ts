import { RefundPayment } from '../../../src/commerce/commands/refund.commands.js';
import { SellerBalances } from '../../../src/commerce/commands/seller-balance.steps.js';
import type { PaymentEvent } from '../../../src/commerce/domain/payment.js';
import type { Plan } from '../../../src/commerce/domain/payment-plan.js';
import type { RefundEvent } from '../../../src/commerce/domain/refund.js';
import { sellerBalanceDecider, sellerBalanceIdOf } from '../../../src/commerce/domain/seller-balance.js';
import type { RecordedOf } from '../../../src/kernel/event.js';
import { createContext } from '../../support/jar.js';
import { crashAfter, crashAt, crashBefore, succeed } from '../../support/memory/crashes.js';
import { type AppendFault } from '../../support/memory/faulty-event-store.js';
import { CheckoutFixture, createJob } from '../checkout-fixture.js';
import { clubPlan } from '../domain/facts.js';

const SUCCEEDED = ['RefundRequested', 'RefundReserved', 'RefundSucceeded'];
const DECLINED = ['RefundRequested', 'RefundReserved', 'RefundFailed', 'ReservationReleased'];
const REFUSED = ['RefundRequested', 'ReservationRefused', 'RefundRejected'];
const UNSETTLED = ['RefundRequested', 'RefundReserved', 'RefundUnsettled'];

type PaymentStarted = Extract<PaymentEvent, { type: 'PaymentStarted' }>;

/** Sells for 74.00, and runs refunds of it in processes of their own. */
class RefundFixture extends CheckoutFixture {
  static async sell(token = 'tok_ok', plan?: Plan): Promise<RefundFixture> {
    const fixture = new RefundFixture(plan);
    const sale = await fixture.checkOut(token);
    await fixture.startProcess().checkout.run(sale, createContext('checkout ord_1'));
    if (token === 'tok_pending') await fixture.runTimer('settlement');
    return fixture;
  }

  async refund(
    amountCents = 7_400,
    command = 'refund',
    paymentId = this.findEvent<PaymentStarted>('PaymentStarted').data.paymentId,
  ): Promise<unknown> {
    const terms = { paymentId, amountCents, currency: null, reason: null, note: null };
    return this.startProcess().refundPayments.execute(new RefundPayment(createContext(command), terms));
  }

  async payOut(amountCents: number): Promise<void> {
    const payout = { payoutId: 'po_1', businessId: 'biz_1', currency: 'EUR', amountCents, paidAt: '' };
    await new SellerBalances(this.startProcess().streams).payOut(payout, createContext('pay out'));
  }

  /** Runs the jobs of all refunds in a new process. */
  async finish(): Promise<void> {
    for (const { data } of this.refundEvents('RefundRequested'))
      await this.startProcess().finishRefunds.run({ ...createJob({ cartId: '', orderId: '' }), data });
  }

  refundEvents<T extends RefundEvent['type']>(type: T) {
    return this.store.log.filter((event) => event.type === type) as RecordedOf<Extract<RefundEvent, { type: T }>>[];
  }

  get refundTypes(): string[] {
    return this.store.log.map(({ type }) => type).filter((type) => /Refund|Reservation/.test(type));
  }

  loadBalance() {
    return this.startProcess().streams.loadState(sellerBalanceDecider, sellerBalanceIdOf('biz_1', 'test', 'EUR'));
  }
}

/** Runs a request that crashes at its nth append, and then the process. */
async function refundWithCrash(fixture: RefundFixture, nth: number, fault: AppendFault): Promise<void> {
  fixture.store.faults.push(...crashAt(nth, fault));
  await fixture.refund().catch(() => undefined);
  fixture.store.faults.length = 0;
  await fixture.finish();
  await fixture.finish();
}

const crashes = [1, 2, 3, 4].flatMap((nth) => [
  ['after', nth, crashAfter] as const,
  ...(nth === 1 ? [] : [['before', nth, crashBefore] as const]),
]);

describe('A refund that a crash interrupted', () => {
  it.each(crashes.filter(([, nth]) => nth < 4))('succeeds once after a crash %s append %i', async (_, nth, fault) => {
    const fixture = await RefundFixture.sell();
    await refundWithCrash(fixture, nth, fault);

    expect(fixture.refundTypes).toEqual(SUCCEEDED);
    expect(await fixture.loadBalance()).toMatchObject({ amountCents: -222, refundedFeesCents: 222 });
  });

  it.each(crashes)('returns its amount once when declined, after a crash %s append %i', async (_, nth, fault) => {
    const fixture = await RefundFixture.sell('tok_refund_declined');
    await refundWithCrash(fixture, nth, fault);

    expect(fixture.refundTypes).toEqual(DECLINED);
    expect(await fixture.loadBalance()).toMatchObject({ amountCents: 7_178, refundedFeesCents: 0 });
  });

  it.each(crashes.filter(([, nth]) => nth < 4))(
    'stays refused by the balance after a crash %s append %i',
    async (_, nth, fault) => {
      const fixture = await RefundFixture.sell();
      await fixture.payOut(1);
      await refundWithCrash(fixture, nth, fault);

      expect(fixture.refundTypes).toEqual(REFUSED);
    },
  );

  it('has one effect when its request is repeated under the same key', async () => {
    const fixture = await RefundFixture.sell();
    fixture.store.faults.push(succeed, crashAfter);
    await fixture.refund().catch(() => undefined);

    expect(await fixture.refund()).toMatchObject({ status: 'succeeded' });
    expect(await fixture.refund()).toMatchObject({ status: 'succeeded' });
    expect(fixture.refundTypes).toEqual(SUCCEEDED);
  });

  it('comes after the invoice of its sale', async () => {
    const fixture = new RefundFixture();
    const sale = await fixture.checkOut();
    fixture.store.faults.push(succeed, succeed, crashAfter);
    await fixture
      .startProcess()
      .checkout.run(sale, createContext('checkout ord_1'))
      .catch(() => undefined);
    await fixture.refund();

    const types = fixture.store.log.map(({ type }) => type);
    expect(types.indexOf('RefundRequested')).toBeGreaterThan(types.indexOf('OrderCompleted'));
  });
});

describe('A refund of a renewal', () => {
  it('is refused before the renewal has its invoice, and can be repeated', async () => {
    const fixture = await RefundFixture.sell();
    const initial = fixture.findEvent<PaymentStarted>('PaymentStarted').data;
    const charge = { ...initial, paymentId: 'pay_2', kind: 'renewal', invoiceId: 'inv_2' } as const;
    await fixture.startProcess().billing.pay(charge, createContext('renewal'));

    await expect(fixture.refund(100, 'refund', 'pay_2')).rejects.toMatchObject({ code: 'concurrent_update' });
    expect(fixture.refundTypes).toEqual([]);
  });
});

describe('A refund without a result of the gateway', () => {
  it('is checked by its timer, and succeeds once', async () => {
    const fixture = await RefundFixture.sell('tok_pending');
    expect(await fixture.refund()).toMatchObject({ status: 'pending' });
    await fixture.finish();
    expect(fixture.refundTypes).toEqual(UNSETTLED);

    await fixture.runTimer('refund');
    await fixture.runTimer('refund');
    expect(fixture.refundTypes).toEqual([...UNSETTLED, 'RefundSucceeded']);
  });
});

describe('A refund that the gateway reverses later', () => {
  it('returns its amount to the seller, also after a crash', async () => {
    const fixture = await RefundFixture.sell();
    await fixture.refund();
    const { paymentId, refundId } = fixture.refundEvents('RefundSucceeded')[0]!.data;
    fixture.store.faults.push(crashAfter);
    const reverse = () =>
      fixture
        .startProcess()
        .refunds.reverse(paymentId, refundId, { code: 'lost', detail: 'No.' }, createContext('reverse'));
    await reverse().catch(() => undefined);
    await fixture.finish();
    await reverse();

    expect(fixture.refundTypes).toEqual([...SUCCEEDED, 'RefundFailed', 'ReservationReleased']);
    expect(await fixture.loadBalance()).toMatchObject({ amountCents: 7_178, refundedFeesCents: 0 });
  });
});

describe('A job of a refund', () => {
  it('is due 5 s after the request, and after a failure', async () => {
    const fixture = await RefundFixture.sell('tok_refund_declined');
    await fixture.refund().catch(() => undefined);
    const { finishRefunds } = fixture.startProcess();
    for (const type of ['RefundRequested', 'RefundFailed'] as const)
      await finishRefunds.react(fixture.refundEvents(type)[0]!);

    const { refundId, paymentId } = fixture.refundEvents('RefundFailed')[0]!.data;
    expect([...fixture.jobs.entries.values()].map(({ job }) => [job.key, job.data])).toEqual([
      [`RefundRequested:${refundId}`, { paymentId, refundId }],
      [`RefundFailed:${refundId}`, { paymentId, refundId }],
    ]);
  });
});

describe('Refunds of a payment at the same time', () => {
  it('may take the fee of the payment when the first one has not reached the balance', async () => {
    const fixture = await RefundFixture.sell();
    await fixture.payOut(3_578);
    fixture.store.faults.push(succeed, crashBefore);
    await fixture.refund(100, 'first').catch(() => undefined);
    expect(fixture.refundTypes).toEqual(['RefundRequested']);

    // The balance is 36.00, and the fee is 2.22.
    expect(await fixture.refund(3_700, 'second')).toMatchObject({ status: 'succeeded' });
    await fixture.finish();
    expect(fixture.refundTypes.sort()).toEqual([...SUCCEEDED, ...SUCCEEDED].sort());
  });
});

describe('A full refund of an order that is paid in parts', () => {
  const parts = { ...clubPlan, kind: 'installment', installmentsCount: 3 } as const;
  const listEnds = ({ store }: RefundFixture) => store.log.filter(({ type }) => type === 'InstallmentPlanCancelled');

  it('ends the parts once, also after a crash between the refund and their end', async () => {
    const fixture = await RefundFixture.sell('tok_ok', parts);
    // The refund is recorded; the end of the parts is not.
    fixture.store.faults.push(...crashAt(5, crashBefore));
    await fixture.refund().catch(() => undefined);
    fixture.store.faults.length = 0;
    expect([fixture.refundTypes, listEnds(fixture)]).toEqual([SUCCEEDED, []]);

    for (let run = 0; run < 2; run++) await fixture.finish();
    expect(listEnds(fixture)).toHaveLength(1);
  });

  it('leaves the parts alone while something that was paid is not refunded', async () => {
    const fixture = await RefundFixture.sell('tok_ok', parts);
    await fixture.refund(7_399);
    expect(listEnds(fixture)).toEqual([]);
    await fixture.refund(1, 'the rest');
    expect(listEnds(fixture)).toHaveLength(1);
  });
});
