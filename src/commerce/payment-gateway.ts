import type { Mode } from '../kernel/event.js';
import type { ChargeResult } from './domain/charge.js';
import type { RefundResult } from './domain/refund-result.js';

export interface ChargeRequest {
  /** The idempotency key of `chargeKeyOf`: a repeated request returns the first result. */
  readonly key: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly methodToken: string;
  /** The payment id, shown in the gateway's own reports. */
  readonly reference: string;
  readonly mode: Mode;
  /** The real time of the first request under this key: a gateway forgets keys after some time. */
  readonly startedAt?: string;
}

export interface RefundRequest {
  /** The idempotency key, which is the refund id: a repeated request returns the first result. */
  readonly key: string;
  readonly chargeKey: string;
  /** The reference of the refunded charge at the gateway. */
  readonly gatewayReference: string;
  readonly amountCents: number;
  readonly currency: string;
}

/** Charges payment methods and refunds charges. Returns `unknown` when a response is lost; poll the status then. */
export abstract class PaymentGateway {
  /** Returns the name of the gateway for charges in this mode. It is stored with each payment. */
  abstract getName(mode: Mode): string;

  /** Returns whether the token can name a payment method. Its charges may fail nevertheless. */
  abstract acceptsMethod(methodToken: string, mode: Mode): boolean;

  abstract movesMoney(mode: Mode): boolean;

  /**
   * Returns the smallest amount of which each charge in this currency is a multiple, in minor units of ISO 4217: 1 where
   * the gateway can charge every amount.
   */
  abstract getAmountStep(currency: string, mode: Mode): number;

  abstract charge(request: ChargeRequest): Promise<ChargeResult>;

  /**
   * Returns the current result of the charge. It never charges.
   * @param startedAt the real time of the first request; without it, a charge that never arrived remains `unknown`
   */
  abstract getStatus(key: string, startedAt?: string): Promise<ChargeResult>;

  /**
   * Cancels a charge that is not settled, if the gateway can, and returns its result. A charge that was made, or that the
   * gateway cannot stop, keeps its result.
   * @param startedAt as in `getStatus`
   */
  abstract cancel(key: string, startedAt?: string): Promise<ChargeResult>;

  abstract refund(request: RefundRequest): Promise<RefundResult>;

  /** Returns the current result of the refund that this request asked for. */
  abstract getRefundStatus(request: RefundRequest): Promise<RefundResult>;
}
