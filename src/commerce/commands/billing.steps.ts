import { Injectable } from '@nestjs/common';
import { requireEvent } from '../../engine/streams/event-search.js';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { type Charge, chargeKeyOf } from '../domain/charge.js';
import { type InvoiceCommand, type InvoiceContent, invoiceDecider } from '../domain/invoice.js';
import { type Payment, paymentDecider, type SucceededPayment } from '../domain/payment.js';
import type { CreditedSale } from '../domain/seller-balance.js';
import { PaymentGateway } from '../payment-gateway.js';
import { Crediting } from './crediting.steps.js';
import { InvoiceNumbering } from './invoice-numbering.steps.js';

export type UnnumberedInvoice = Omit<InvoiceContent, 'number'>;

/** The event that causes an invoice. Its time is the time of the invoice. */
export type InvoiceCause = RecordedEvent<string, { readonly at: string }>;

/** Charges buyers, invoices them and credits the seller: the steps that orders, renewals and installments share. */
@Injectable()
export class Billing {
  constructor(
    private readonly streams: Streams,
    private readonly gateway: PaymentGateway,
    private readonly numbering: InvoiceNumbering,
    private readonly crediting: Crediting,
  ) {}

  movesMoney({ mode }: Context): boolean {
    return this.gateway.movesMoney(mode);
  }

  /** Records the payment before the charge. A repeated run charges again, under the same key, until a result is recorded. */
  async pay(details: Omit<Charge, 'gateway'>, context: Context): Promise<Payment> {
    const { mode } = context;
    const charge = { ...details, gateway: this.gateway.getName(mode) };
    const { paymentId: id, amountCents, currency, methodToken } = charge;
    const start = { type: 'StartPayment', charge } as const;
    await this.streams.execute(paymentDecider, id, start, createChildContext(context, 'payment'));
    const found = await this.streams.loadState(paymentDecider, id);
    if (found.status !== 'started') return found;

    const { meta } = await requireEvent(this.streams, paymentDecider, id, 'PaymentStarted');
    const references = { key: chargeKeyOf(charge), reference: id, mode, startedAt: meta.at };
    const request = { ...references, amountCents, currency, methodToken };
    const settle = { type: 'SettlePayment', result: await this.gateway.charge(request) } as const;
    await this.streams.execute(paymentDecider, id, settle, createChildContext(context, 'charge'));
    return this.streams.loadState(paymentDecider, id);
  }

  /** Pays an invoice that was issued before. The seller gets the amount of a successful payment. */
  async payInvoice(details: Omit<Charge, 'gateway'>, context: Context): Promise<Payment> {
    const payment = await this.pay(details, context);
    if (payment.status === 'succeeded') await this.bookPayment(payment, context);
    return payment;
  }

  private async bookPayment({ charge, success }: SucceededPayment, context: Context): Promise<void> {
    const { paymentId, businessId, currency, amountCents, invoiceId } = charge;
    const { feeCents, at } = success;
    const paid = await requireEvent(this.streams, paymentDecider, paymentId, 'PaymentSucceeded');
    await Promise.all([
      this.closeInvoice(invoiceId, { type: 'PayInvoice', paymentId, at }, context),
      this.creditSeller({ paymentId, businessId, currency, amountCents, feeCents }, paid, context),
    ]);
  }

  /** Issues an invoice whose payment follows. */
  async issueInvoice(invoice: UnnumberedInvoice, cause: InvoiceCause, context: Context): Promise<void> {
    await this.issue(invoice, cause, context, (content) => ({ type: 'IssueInvoice', content, at: cause.data.at }));
  }

  /** Issues the invoice of a payment, or of an amount of zero with `paymentId` null. */
  async issuePaidInvoice(
    invoice: UnnumberedInvoice,
    paymentId: string | null,
    cause: InvoiceCause,
    context: Context,
  ): Promise<void> {
    const { at } = cause.data;
    await this.issue(invoice, cause, context, (content) => ({ type: 'IssuePaidInvoice', content, paymentId, at }));
  }

  /** Assigns the number before it issues the invoice: a crash in between delays the invoice and skips no number. */
  private async issue(
    invoice: UnnumberedInvoice,
    cause: InvoiceCause,
    context: Context,
    toCommand: (content: InvoiceContent) => InvoiceCommand,
  ): Promise<void> {
    const { invoiceId, businessId } = invoice;
    if ((await this.streams.loadState(invoiceDecider, invoiceId)).status !== 'unknown') return;

    const request = { invoiceId, businessId, year: new Date(cause.data.at).getUTCFullYear() };
    const number = await this.numbering.assignNumber(request, createChildContext(context, 'number'), cause);
    const command = toCommand({ ...invoice, number });
    await this.streams.execute(invoiceDecider, invoiceId, command, createChildContext(context, 'invoice'));
  }

  /** Pays, voids or writes off an invoice that was issued before. */
  async closeInvoice(invoiceId: string, command: InvoiceCommand, context: Context): Promise<void> {
    await this.streams.execute(invoiceDecider, invoiceId, command, createChildContext(context, command.type));
  }

  /** @param paid PaymentSucceeded */
  async creditSeller(sale: CreditedSale, paid: RecordedEvent, context: Context): Promise<void> {
    await this.crediting.credit(sale, createChildContext(context, 'balance'), paid);
  }
}
