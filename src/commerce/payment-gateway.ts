import type { ChargeResult } from './domain/payment.js';

export interface ChargeRequest {
  /** The idempotency key `<payment id>:<method token>`: a repeated request returns the first result. */
  readonly key: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly methodToken: string;
  /** The payment id, shown in the gateway's own reports. */
  readonly reference: string;
}

/** Charges payment methods. Returns `unknown` instead of throwing when a response is lost; poll `getStatus` then. */
export abstract class PaymentGateway {
  /** Stored with each payment. */
  abstract readonly name: string;

  abstract charge(request: ChargeRequest): Promise<ChargeResult>;

  /** Returns the current result of the charge. */
  abstract getStatus(key: string): Promise<ChargeResult>;
}
