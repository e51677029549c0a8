import { RefundPayment } from '../../src/commerce/commands/refund.commands.js';
import { SellerBalances } from '../../src/commerce/commands/seller-balance.steps.js';
import type { DisputeEvent, DisputeOutcome, DisputeReport } from '../../src/commerce/domain/dispute.js';
import { type PaymentEvent } from '../../src/commerce/domain/payment.js';
import type { RefundEvent } from '../../src/commerce/domain/refund.js';
import type { Sale } from '../../src/commerce/domain/sale.js';
import { sellerBalanceDecider, sellerBalanceIdOf } from '../../src/commerce/domain/seller-balance.js';
import type { TimerKind } from '../../src/commerce/projections/timer-changes.js';
import { listStartedTimers } from '../../src/commerce/projections/timers.js';
import { ConsistencyContext } from '../../src/kernel/context.js';
import type { Fact, RecordedOf } from '../../src/kernel/event.js';
import { createContext } from '../support/jar.js';
import { crashAfter, crashAt, crashBefore } from '../support/memory/crashes.js';
import type { AppendFault } from '../support/memory/faulty-event-store.js';
import { CheckoutFixture, createJob } from './checkout-fixture.js';

/** A step of a random history. Indexes and shares choose among what exists at that time. */
export type MoneyStep =
  | { readonly do: 'sell'; readonly token: string }
  | { readonly do: 'refund'; readonly payment: number; readonly share: number; readonly retry: boolean }
  | { readonly do: 'reverse'; readonly refund: number }
  | {
      readonly do: 'dispute';
      readonly payment: number;
      readonly share: number;
      readonly status: DisputeReport['status'];
      readonly feeCents: number;
    }
  | { readonly do: 'decide'; readonly dispute: number; readonly outcome: DisputeOutcome }
  | { readonly do: 'pay out'; readonly share: number }
  | { readonly do: 'run timers' };

/** A crash at an append of the step; `recorded`: the append was written. */
export interface Crash {
  readonly append: number;
  readonly recorded: boolean;
}

const BALANCE = sellerBalanceIdOf('biz_1', 'test', 'EUR');

/** Sells, refunds, disputes and pays out on an in-memory event log, each step in a process of its own. */
export class MoneyFixture {
  readonly shop = new CheckoutFixture();
  private readonly sales: Sale[] = [];
  private template: Sale | null = null;
  private steps = 0;

  /** Runs the steps at the same time. A crash ends one of them. */
  async run(steps: readonly MoneyStep[], crash: Crash | null): Promise<void> {
    this.template ??= await this.shop.checkOut();
    if (crash !== null) this.shop.store.faults.push(...toFaults(crash));
    await Promise.all(steps.map((step) => this.runStep(step, ++this.steps)));
    this.shop.store.faults.length = 0;
  }

  /** Does what the processes do after a crash, twice. */
  async recover(): Promise<void> {
    for (let times = 0; times < 2; times++) {
      for (const sale of this.sales) await this.checkOut(sale);
      for (const { data } of this.list<RefundEvent>('RefundRequested', 'RefundFailed'))
        await this.shop.startProcess().finishRefunds.run({ ...createJob({ cartId: '', orderId: '' }), data });
      for (const { id, data } of this.list<DisputeEvent>('PaymentDisputed', 'DisputeFeeCharged', 'DisputeClosed')) {
        const job = createJob({ paymentId: data.paymentId, eventId: id });
        await this.shop.startProcess().finishDisputes.run(job);
      }
      await this.runTimers(['settlement', 'refund']);
    }
  }

  list<E extends Fact>(...types: readonly E['type'][]): RecordedOf<E>[] {
    return this.shop.store.log.filter(({ type }) => types.includes(type)) as RecordedOf<E>[];
  }

  private loadBalance() {
    return this.shop.startProcess().streams.loadState(sellerBalanceDecider, BALANCE);
  }

  private runStep(step: MoneyStep, n: number): Promise<unknown> {
    switch (step.do) {
      case 'sell': {
        const sale = { ...this.template!, orderId: `ord_${n}`, methodToken: step.token };
        this.sales.push(sale);
        return this.checkOut(sale).catch(ignore);
      }
      case 'refund':
        return this.refund(step, n);
      case 'reverse':
        return this.reverse(step.refund, n).catch(ignore);
      case 'dispute':
        return this.dispute(step, n).catch(ignore);
      case 'decide':
        return this.decide(step, n).catch(ignore);
      case 'pay out':
        return this.payOut(step.share, n).catch(ignore);
      case 'run timers':
        return this.runTimers().catch(ignore);
    }
  }

  private checkOut(sale: Sale): Promise<unknown> {
    return this.shop.startProcess().checkout.run(sale, createContext(`checkout ${sale.orderId}`));
  }

  /** Refunds a share of a payment; `retry`: the caller repeats the request under the same key. */
  private async refund({ payment, share, retry }: Extract<MoneyStep, { do: 'refund' }>, n: number): Promise<void> {
    const paid = pick(this.list<PaymentEvent>('PaymentSucceeded') as PaymentSucceeded[], payment);
    if (paid === undefined) return;
    const { paymentId, netCents, feeCents } = paid.data;
    const amountCents = Math.max(1, Math.round((netCents + feeCents) * share));
    const terms = { paymentId, amountCents, currency: 'EUR', reason: null, note: null };
    for (let times = 0; times < (retry ? 2 : 1); times++) {
      const command = new RefundPayment(createContext(`refund ${n}`), terms);
      await this.shop.startProcess().refundPayments.execute(command).catch(ignore);
    }
  }

  private async reverse(index: number, n: number): Promise<void> {
    const refunded = pick(this.list<RefundEvent>('RefundSucceeded'), index);
    if (refunded === undefined) return;
    const { paymentId, refundId } = refunded.data;
    const failure = { code: 'expired_card', detail: 'The card has expired.' };
    await this.shop.startProcess().refunds.reverse(paymentId, refundId, failure, createContext(`reverse ${n}`));
  }

  /** Reports one of two disputes of a payment, in any order. The bank can ask for more than the payment took. */
  private async dispute(step: Extract<MoneyStep, { do: 'dispute' }>, n: number): Promise<void> {
    const { payment, share, status, feeCents: disputeFee } = step;
    const paid = pick(this.list<PaymentEvent>('PaymentSucceeded') as PaymentSucceeded[], payment);
    if (paid === undefined) return;
    const { paymentId, netCents, feeCents } = paid.data;
    const amountCents = Math.round((netCents + feeCents) * share);
    const gatewayReference = `du_${paymentId}_${share > 0.5 ? 'large' : 'small'}`;
    const terms = { gatewayReference, amountCents, currency: 'EUR', reason: 'general', evidenceDueAt: null };
    const report = { ...terms, status, feeCents: disputeFee };
    const command = { type: 'RecordDispute', report } as const;
    await this.shop.startProcess().disputes.execute(paymentId, command, createContext(`dispute ${n}`));
  }

  /** Decides a dispute as `PUT /disputes/{id}/outcome` does, also one that is closed. */
  private async decide(step: Extract<MoneyStep, { do: 'decide' }>, n: number): Promise<void> {
    const opened = pick(this.list<DisputeEvent>('PaymentDisputed'), step.dispute);
    if (opened === undefined) return;
    const { paymentId, disputeId } = opened.data;
    const command = { type: 'CloseDispute', disputeId, outcome: step.outcome } as const;
    await this.shop.startProcess().disputes.execute(paymentId, command, createContext(`decide ${n}`));
  }

  private async payOut(share: number, n: number): Promise<void> {
    const { amountCents } = await this.loadBalance();
    const payout = { payoutId: `po_${n}`, businessId: 'biz_1', currency: 'EUR', paidAt: '2026-02-01T09:00:00.000Z' };
    const balances = new SellerBalances(this.shop.startProcess().streams);
    const command = { ...payout, amountCents: Math.max(1, Math.round(amountCents * share)) };
    await balances.payOut(command, createContext(`pay out ${n}`));
  }

  /** Runs the timers that events have started, also those that no longer fit. */
  private async runTimers(kinds: readonly TimerKind[] = ['settlement', 'refund', 'funds', 'dispute']): Promise<void> {
    for (const timer of this.shop.store.log.flatMap(listStartedTimers).filter(({ kind }) => kinds.includes(kind)))
      await this.shop.startProcess().timers.run(timer, timer.due, new ConsistencyContext());
  }
}

type PaymentSucceeded = RecordedOf<Extract<PaymentEvent, { type: 'PaymentSucceeded' }>>;

function toFaults({ append, recorded }: Crash): AppendFault[] {
  return crashAt(append + 1, recorded ? crashAfter : crashBefore);
}

function pick<T>(items: readonly T[], index: number): T | undefined {
  return items[index % Math.max(1, items.length)];
}

/** A step may be refused, or end by its crash. */
function ignore(): void {}
