import type { Mode } from '../../kernel/event.js';
import type { ChargeResult } from '../domain/charge.js';
import type { RefundResult } from '../domain/refund-result.js';
import { type ChargeRequest, PaymentGateway, type RefundRequest } from '../payment-gateway.js';
import type { SimulatedGateway } from './simulated-gateway.js';
import type { StripeGateway } from './stripe/stripe-gateway.js';

const STRIPE_KEY = /:pm_\w+$/;
const LIVE_DECLINE = {
  code: 'live_mode_unavailable',
  detail: 'Sales in live mode need a live key of the payment gateway.',
};

/** The account at Stripe, and the mode that its key serves. */
export interface StripeRoute {
  readonly gateway: StripeGateway;
  readonly mode: Mode;
}

/**
 * Chooses the gateway. Without an account at Stripe, the simulated gateway serves both modes. A live key serves live
 * mode, and test mode stays simulated. A test key serves test mode, and charges in live mode are declined. A request
 * about an earlier charge goes to the gateway that made the charge. The key of the charge contains its method.
 */
export class RoutingGateway extends PaymentGateway {
  constructor(
    private readonly simulated: SimulatedGateway,
    private readonly stripe: StripeRoute | null,
  ) {
    super();
  }

  getName(mode: Mode): string {
    return this.findForCharge(mode)?.getName(mode) ?? 'none';
  }

  acceptsMethod(methodToken: string, mode: Mode): boolean {
    return this.findForCharge(mode)?.acceptsMethod(methodToken, mode) ?? false;
  }

  movesMoney(mode: Mode): boolean {
    return this.findForCharge(mode)?.movesMoney(mode) ?? false;
  }

  getAmountStep(currency: string, mode: Mode): number {
    return this.findForCharge(mode)?.getAmountStep(currency, mode) ?? 1;
  }

  async charge(request: ChargeRequest): Promise<ChargeResult> {
    const gateway = this.findForCharge(request.mode);
    return gateway?.charge(request) ?? { status: 'declined', ...LIVE_DECLINE, hard: false, method: null };
  }

  async getStatus(key: string, startedAt?: string): Promise<ChargeResult> {
    return this.findMaker(key)?.getStatus(key, startedAt) ?? { status: 'unknown' };
  }

  async cancel(key: string, startedAt?: string): Promise<ChargeResult> {
    return this.findMaker(key)?.cancel(key, startedAt) ?? { status: 'unknown' };
  }

  async refund(request: RefundRequest): Promise<RefundResult> {
    return this.findMaker(request.chargeKey)?.refund(request) ?? { status: 'unknown' };
  }

  async getRefundStatus(request: RefundRequest): Promise<RefundResult> {
    return this.findMaker(request.chargeKey)?.getRefundStatus(request) ?? { status: 'unknown' };
  }

  private findForCharge(mode: Mode): PaymentGateway | null {
    if (this.stripe === null) return this.simulated;
    if (this.stripe.mode === mode) return this.stripe.gateway;
    return mode === 'test' ? this.simulated : null;
  }

  /** Returns null for a charge of Stripe while no account is configured. */
  private findMaker(key: string): PaymentGateway | null {
    return STRIPE_KEY.test(key) ? (this.stripe?.gateway ?? null) : this.simulated;
  }
}
