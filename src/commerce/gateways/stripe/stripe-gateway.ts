import { createHash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type Stripe from 'stripe';
import { type Clock, DAY_MS } from '../../../kernel/clock.js';
import type { Mode } from '../../../kernel/event.js';
import type { ChargeResult } from '../../domain/charge.js';
import type { RefundResult } from '../../domain/refund-result.js';
import { type ChargeRequest, PaymentGateway, type RefundRequest } from '../../payment-gateway.js';
import {
  createUnknownMethod,
  type StripeErrorFields,
  toChargeResult,
  toDeclined,
  toFailedCharge,
} from './charge-results.js';
import { findIntent, findIntentAround, type IntentSearch } from './intent-search.js';
import { toFailedRefund, toRefundResult } from './refund-results.js';
import { getStripeAmountStep, toStripeAmount } from './stripe-amount.js';

const METHOD = /^pm_\w{1,200}$/;
const RENEWAL_PREFIX = 'renewal:';
/** The longest idempotency key of Stripe. */
const MAX_KEY_CHARACTERS = 255;
/** From this time after its request on, a charge that is in no list was never made. */
const ARRIVAL_MS = 60 * 60 * 1000;
/** Stripe keeps idempotency keys for 24 hours; an hour less allows for the clocks of both sides. */
const KEY_LIFETIME_MS = 23 * 60 * 60 * 1000;
/** A buyer who does not confirm a payment within this time has abandoned it. */
const CONFIRMATION_MS = DAY_MS;
const NOT_CONFIRMED = { code: 'authentication_required', message: 'The buyer did not confirm the payment.' };
const NEVER_ARRIVED = { code: 'charge_not_found', message: 'The charge never reached the payment gateway.' };
const AMOUNT_NOT_SUPPORTED = 'The payment gateway cannot take this amount in this currency.';
const WITH_CHARGE = { expand: ['latest_charge'] };

/**
 * Charges payment methods by PaymentIntents. Each request has an idempotency key of Stripe, which Stripe keeps for 24
 * hours, and is sent once. A charge with an unknown result is found by the payment id in its metadata; it is never
 * requested again.
 */
export class StripeGateway extends PaymentGateway {
  private readonly logger = new Logger('payments');

  constructor(
    private readonly stripe: Stripe,
    private readonly clock: Clock,
  ) {
    super();
  }

  getName(): string {
    return 'stripe';
  }

  acceptsMethod(methodToken: string): boolean {
    return METHOD.test(methodToken);
  }

  movesMoney(mode: Mode): boolean {
    return mode === 'live';
  }

  getAmountStep(currency: string): number {
    return getStripeAmountStep(currency);
  }

  async charge(request: ChargeRequest): Promise<ChargeResult> {
    const { key, amountCents, currency, methodToken, startedAt } = request;
    const amount = toStripeAmount(amountCents, currency);
    if (amount === null) return toDeclined({ code: 'amount_not_supported', message: AMOUNT_NOT_SUPPORTED });
    if (!METHOD.test(methodToken)) return createUnknownMethod();
    if (startedAt !== undefined && this.isOlder(startedAt, KEY_LIFETIME_MS)) return this.getStatus(key, startedAt);
    try {
      return toChargeResult(await this.createIntent(request, amount, await this.findCustomer(request)));
    } catch (error) {
      return toFailedCharge(this.log(error));
    }
  }

  async getStatus(key: string, startedAt?: string): Promise<ChargeResult> {
    const paymentId = paymentIdOf(key);
    try {
      const found = await findIntent(this.stripe, paymentId);
      if (found !== null) return await this.settle(await this.retrieveIntent(found.id));
      if (startedAt === undefined || !this.isOlder(startedAt, ARRIVAL_MS)) return UNKNOWN;
      return toLateResult(await findIntentAround(this.stripe, paymentId, startedAt));
    } catch (error) {
      this.log(error);
      return UNKNOWN;
    }
  }

  /** Stripe refuses to cancel a charge that it processes or has made. */
  async cancel(key: string, startedAt?: string): Promise<ChargeResult> {
    try {
      const found = await findIntent(this.stripe, paymentIdOf(key));
      if (found !== null)
        await this.stripe.paymentIntents.cancel(found.id, { cancellation_reason: 'requested_by_customer' });
    } catch (error) {
      this.log(error);
    }
    return this.getStatus(key, startedAt);
  }

  /** Returns the payment intent as it is now, for an event that names it. */
  async retrieveIntent(id: string): Promise<Stripe.PaymentIntent> {
    return this.stripe.paymentIntents.retrieve(id, WITH_CHARGE);
  }

  /** Looks for the refund first: the list of a charge's refunds is complete, and the key is forgotten after a day. */
  async refund(request: RefundRequest): Promise<RefundResult> {
    const { key, chargeKey, gatewayReference, amountCents, currency } = request;
    const amount = toStripeAmount(amountCents, currency);
    if (amount === null) return { status: 'declined', code: 'amount_not_supported', detail: AMOUNT_NOT_SUPPORTED };
    const refund = {
      payment_intent: gatewayReference,
      amount,
      metadata: { refund_id: key, payment_id: paymentIdOf(chargeKey) },
    };
    try {
      const made = await this.findRefund(request);
      return toRefundResult(made ?? (await this.stripe.refunds.create(refund, { idempotencyKey: key })));
    } catch (error) {
      return toFailedRefund(this.log(error));
    }
  }

  /** Requests a refund that never arrived again. */
  getRefundStatus(request: RefundRequest): Promise<RefundResult> {
    return this.refund(request);
  }

  private async findRefund({ key, gatewayReference }: RefundRequest): Promise<Stripe.Refund | null> {
    const made = this.stripe.refunds.list({ payment_intent: gatewayReference, limit: 100 });
    for await (const refund of made) if (refund.metadata?.refund_id === key) return refund;
    return null;
  }

  /** Cancels a charge that the buyer has not confirmed in time. */
  private async settle(intent: Stripe.PaymentIntent): Promise<ChargeResult> {
    const isAbandoned = intent.status === 'requires_action' && this.isOlder(intent.created * 1000, CONFIRMATION_MS);
    if (!isAbandoned) return toChargeResult(intent);
    await this.stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' });
    return toDeclined(NOT_CONFIRMED);
  }

  /** The log contains no field of the request: an error that leaves a result unknown must not stay unseen. */
  private log(error: unknown): unknown {
    const { type, code, statusCode, requestId } = error as StripeErrorFields;
    if (type !== 'StripeCardError') this.logger.warn({ type, code, statusCode, requestId }, 'stripe_request_failed');
    return error;
  }

  private isOlder(time: string | number, ms: number): boolean {
    return this.clock.now() >= new Date(time).getTime() + ms;
  }

  /**
   * Returns the customer of the method. Stripe charges a method again only when the method has a customer, so the first
   * charge creates one. A charge without the buyer does not attach the method, so a request of its own attaches it.
   */
  private async findCustomer({ key, methodToken, reference }: ChargeRequest): Promise<string> {
    const { customer } = await this.stripe.paymentMethods.retrieve(methodToken).catch(nameMethod);
    if (customer !== null) return typeof customer === 'string' ? customer : customer.id;
    const created = { metadata: { payment_id: reference } };
    const { id } = await this.stripe.customers.create(created, { idempotencyKey: `customer:${reference}` });
    if (isRenewal(key)) await this.stripe.paymentMethods.attach(methodToken, { customer: id });
    return id;
  }

  private createIntent(request: ChargeRequest, amount: number, customer: string): Promise<Stripe.PaymentIntent> {
    const { key, currency, methodToken, reference } = request;
    return this.stripe.paymentIntents.create(
      {
        amount,
        currency: currency.toLowerCase(),
        customer,
        payment_method: methodToken,
        confirm: true,
        ...(isRenewal(key) ? { off_session: true } : { setup_future_usage: 'off_session' }),
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        metadata: { payment_id: reference },
        ...WITH_CHARGE,
      },
      { idempotencyKey: toStripeKey(key) },
    );
  }
}

const UNKNOWN = { status: 'unknown' } as const;

function toLateResult({ intent, complete }: IntentSearch): ChargeResult {
  if (intent !== null) return toChargeResult(intent);
  return complete ? toDeclined(NEVER_ARRIVED) : UNKNOWN;
}

/** Marks a method that Stripe does not know as the wrong parameter of the charge. */
function nameMethod(error: Error & StripeErrorFields): never {
  throw Object.assign(error, error.type === 'StripeInvalidRequestError' && { param: 'payment_method' });
}

function isRenewal(key: string): boolean {
  return key.startsWith(RENEWAL_PREFIX);
}

function paymentIdOf(key: string): string {
  return key.slice(isRenewal(key) ? RENEWAL_PREFIX.length : 0).split(':')[0]!;
}

function toStripeKey(key: string): string {
  return key.length <= MAX_KEY_CHARACTERS ? key : createHash('sha256').update(key).digest('hex');
}
