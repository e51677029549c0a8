import { Billing } from '../../src/commerce/commands/billing.steps.js';
import { Checkout } from '../../src/commerce/commands/checkout.steps.js';
import { Crediting } from '../../src/commerce/commands/crediting.steps.js';
import { Disputes } from '../../src/commerce/commands/disputes.steps.js';
import { ForgottenBuyers } from '../../src/commerce/commands/forgotten-buyers.steps.js';
import { Fulfilment } from '../../src/commerce/commands/fulfilment.steps.js';
import { Installments } from '../../src/commerce/commands/installments.steps.js';
import { InvoiceNumbering } from '../../src/commerce/commands/invoice-numbering.steps.js';
import { Offers } from '../../src/commerce/commands/offers.steps.js';
import { Products } from '../../src/commerce/commands/products.steps.js';
import { RefundPaymentHandler } from '../../src/commerce/commands/refund.commands.js';
import { Refunds } from '../../src/commerce/commands/refunds.steps.js';
import { Renewals } from '../../src/commerce/commands/renewals.steps.js';
import { SellerBalances } from '../../src/commerce/commands/seller-balance.steps.js';
import { Settlements } from '../../src/commerce/commands/settlements.steps.js';
import { cartDecider } from '../../src/commerce/domain/cart.js';
import type { ChargeResult } from '../../src/commerce/domain/charge.js';
import type { Plan } from '../../src/commerce/domain/payment-plan.js';
import type { Sale } from '../../src/commerce/domain/sale.js';
import { SimulatedGateway } from '../../src/commerce/gateways/simulated-gateway.js';
import type { ChargeRequest } from '../../src/commerce/payment-gateway.js';
import { ChargeInstallments } from '../../src/commerce/processes/charge-installments.js';
import { EndSubscriptions } from '../../src/commerce/processes/end-subscriptions.js';
import { ExpireOffers } from '../../src/commerce/processes/expire-offers.js';
import { FinishCheckouts } from '../../src/commerce/processes/finish-checkouts.js';
import { FinishDisputes } from '../../src/commerce/processes/finish-disputes.js';
import { FinishRefunds } from '../../src/commerce/processes/finish-refunds.js';
import { FinishRenewals } from '../../src/commerce/processes/finish-renewals.js';
import { OpenDisputes } from '../../src/commerce/processes/open-disputes.js';
import { ReleaseFunds } from '../../src/commerce/processes/release-funds.js';
import { RenewSubscriptions } from '../../src/commerce/processes/renew-subscriptions.js';
import { ResumeSubscriptions } from '../../src/commerce/processes/resume-subscriptions.js';
import { SettlePayments } from '../../src/commerce/processes/settle-payments.js';
import { SettleRefunds } from '../../src/commerce/processes/settle-refunds.js';
import { Timers } from '../../src/commerce/processes/timers/timers.js';
import { WriteOffInstallments } from '../../src/commerce/processes/write-off-installments.js';
import type { TimerKind } from '../../src/commerce/projections/timer-changes.js';
import { listStartedTimers, type Timer } from '../../src/commerce/projections/timers.js';
import { TestClocks } from '../../src/commerce/test-clocks.js';
import type { Reschedule } from '../../src/engine/registry.js';
import { OwnedStreams } from '../../src/engine/streams/owned-streams.js';
import { Streams } from '../../src/engine/streams/streams.js';
import { ConsistencyContext } from '../../src/kernel/context.js';
import type { Fact, RecordedOf } from '../../src/kernel/event.js';
import type { Job } from '../../src/kernel/jobs.js';
import { EagerClock, SeededRandom } from '../support/clock.js';
import { createContext } from '../support/jar.js';
import { FaultyEventStore } from '../support/memory/faulty-event-store.js';
import { MemoryJobs } from '../support/memory/jobs.js';
import { ada, clubPlan, course } from './domain/facts.js';

/** A simulated gateway that records its charges and can return a set result for later status checks. */
export class RecordingGateway extends SimulatedGateway {
  readonly charged: string[] = [];
  laterResult: ChargeResult | null = null;

  /** Each of the next charges waits for one of these promises. */
  readonly pauses: Promise<void>[] = [];

  override async charge(request: ChargeRequest): Promise<ChargeResult> {
    this.charged.push(request.key);
    await this.pauses.shift();
    return super.charge(request);
  }

  override async getStatus(key: string): Promise<ChargeResult> {
    return this.laterResult ?? super.getStatus(key);
  }
}

/** The request id of the other sales. */
const OTHER_SALES = 'req_others';

/** Runs checkouts on an in-memory event log, with as many processes as a test starts. */
export class CheckoutFixture {
  readonly clock = new EagerClock();
  readonly store = new FaultyEventStore(this.clock);
  readonly jobs = new MemoryJobs(this.clock);
  readonly gateway = new RecordingGateway();
  private readonly club;

  /** @param plan the plan of the second product */
  constructor(plan: Plan = clubPlan) {
    this.club = { ...course, id: 'prod_2', plans: [plan] };
  }

  /** Starts a process that has no state besides the event log. */
  startProcess() {
    const streams = new Streams(this.store, this.clock, new SeededRandom(this.store.log.length + 1));
    const billing = new Billing(streams, this.gateway, new InvoiceNumbering(streams), new Crediting(streams));
    const fulfilment = new Fulfilment(streams, billing);
    const products = new Products(streams, new OwnedStreams(streams));
    const renewals = new Renewals(streams, products, billing);
    const installments = new Installments(streams, billing);
    const forgotten = new ForgottenBuyers(streams, renewals, installments);
    const checkout = new Checkout(streams, billing, fulfilment, new Offers(streams), forgotten);
    const disputes = new Disputes(streams, new SellerBalances(streams));
    const refunds = new Refunds(streams, this.gateway, new SellerBalances(streams), installments);
    const settlements = new Settlements(streams, this.gateway, checkout, renewals, installments);
    return {
      streams,
      billing,
      renewals,
      writeOffs: new WriteOffInstallments(installments),
      finishRenewals: new FinishRenewals(this.jobs, renewals),
      checkout,
      refunds,
      disputes,
      finishDisputes: new FinishDisputes(streams, this.jobs, disputes),
      refundPayments: new RefundPaymentHandler(streams, checkout, refunds),
      finishRefunds: new FinishRefunds(streams, this.jobs, refunds),
      finish: new FinishCheckouts(streams, this.jobs, checkout),
      timers: new Timers(
        new TestClocks(this.store, this.clock, new SeededRandom()),
        this.clock,
        this.jobs,
        new ReleaseFunds(streams),
        new OpenDisputes(streams, disputes),
        new SettlePayments(settlements, this.clock),
        new SettleRefunds(refunds, this.clock),
        new RenewSubscriptions(renewals),
        new ChargeInstallments(installments),
        new ResumeSubscriptions(streams, renewals),
        new EndSubscriptions(streams),
        new ExpireOffers(streams),
      ),
    };
  }

  /** Checks out a cart of a course and a club, without the following steps. */
  async checkOut(methodToken = 'tok_ok', orderId = 'ord_1'): Promise<Sale> {
    const { streams } = this.startProcess();
    await this.fillCart(streams);
    const command = {
      type: 'CheckOut',
      orderId,
      buyer: null,
      methodToken,
      products: [course, this.club],
      discount: null,
      offer: null,
    } as const;
    const { loadHistory } = await streams.execute(cartDecider, 'cart_1', command, createContext(`checkout ${orderId}`));
    return (await loadHistory()).at(-1)!.data as Sale;
  }

  private async fillCart(streams: Streams): Promise<void> {
    const content = { currency: null, buyer: ada, metadata: {}, externalReference: null, redirectUrl: null };
    const owner = { businessId: 'biz_1', mode: 'test', userId: null, tokenHash: 'hash' } as const;
    await streams.execute(
      cartDecider,
      'cart_1',
      { type: 'CreateCart', cartId: 'cart_1', ...owner, ...content },
      createContext('cart'),
    );
    for (const product of [course, this.club])
      await streams.execute(
        cartDecider,
        'cart_1',
        { type: 'AddLine', product, planId: null, quantity: 1 },
        createContext(`line ${product.id}`),
      );
  }

  /** Records other sales of the business in the streams that all its sales share. */
  async completeOtherSales(count: number): Promise<void> {
    const { streams } = this.startProcess();
    const [crediting, numbering] = [new Crediting(streams), new InvoiceNumbering(streams)];
    const paid = this.store.log.find(({ type }) => type === 'PaymentSucceeded')!;
    const each = Array.from({ length: count }, async (_, n) => {
      const sale = { paymentId: `pay_other_${n}`, businessId: 'biz_1', currency: 'EUR', amountCents: 100, feeCents: 3 };
      const invoice = { invoiceId: `inv_other_${n}`, businessId: 'biz_1', year: 2026 };
      await crediting.credit(sale, { ...createContext(`credit ${n}`), requestId: OTHER_SALES }, paid);
      await numbering.assignNumber(invoice, { ...createContext(`number ${n}`), requestId: OTHER_SALES }, paid);
    });
    await Promise.all(each);
  }

  /** Returns the first timer of this kind that an event has started. */
  findTimer(kind: TimerKind): Timer {
    return this.findTimers(kind)[0]!;
  }

  /** Returns the timers of this kind that events have started, in their order. */
  findTimers(kind: TimerKind): readonly Timer[] {
    return this.store.log.flatMap(listStartedTimers).filter((timer) => timer.kind === kind);
  }

  /** Runs that timer when it is due, in a new process. */
  runTimer(kind: TimerKind): Promise<void | Reschedule> {
    const timer = this.findTimer(kind);
    return this.startProcess().timers.run(timer, timer.due, new ConsistencyContext());
  }

  /** Returns the first recorded event of this type. */
  findEvent<E extends Fact>(type: E['type']): RecordedOf<E> {
    return this.store.log.find((event) => event.type === type) as RecordedOf<E>;
  }

  /** The event types recorded after the cart's lines, without the other sales. */
  get recordedTypes(): string[] {
    return this.store.log
      .filter(({ meta }) => meta.requestId !== OTHER_SALES)
      .map(({ type }) => type)
      .filter((type) => !['CartCreated', 'LineAdded', 'CartCheckedOut'].includes(type))
      .sort();
  }
}

export function createSaleJob({ cartId, orderId }: Pick<Sale, 'cartId' | 'orderId'>) {
  return createJob({ cartId, orderId });
}

export function createJob<D extends object>(data: D): Job<D> {
  return {
    id: '1',
    key: 'job',
    queue: 'queue',
    due: '2026-02-01T09:00:05.000Z',
    data,
    attempt: 1,
    failures: 0,
  };
}
