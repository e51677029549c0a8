import type { ChargeResult } from './domain/payment.js';

export interface ChargeRequest {
  /** `<attempt>:<method token>`, ours: whatever is asked under it again has the first's result. */
  readonly key: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly methodToken: string;
  /** Of the payment, for people who look at the gateway's side. */
  readonly reference: string;
}

/** Takes money. Says `unknown` rather than throwing when an answer got lost: then `status` is asked until it knows. */
export abstract class PaymentGateway {
  /** Kept with each payment. */
  abstract readonly name: string;

  abstract charge(request: ChargeRequest): Promise<ChargeResult>;

  /** What became of the charge. */
  abstract status(key: string): Promise<ChargeResult>;
}
