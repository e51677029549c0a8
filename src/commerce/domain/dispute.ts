import type { Fact } from '../../kernel/event.js';

/** A dispute in which the buyer's bank asks for the money of a payment back. */
export interface DisputeFacts {
  readonly disputeId: string;
  readonly paymentId: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly reason: string;
}

/** The events of a dispute, in the stream of its payment. They move no money here: the gateway settles the dispute. */
export type DisputeEvent =
  | Fact<'PaymentDisputed', DisputeFacts & { at: string }>
  | Fact<'DisputeClosed', { disputeId: string; paymentId: string; outcome: string; at: string }>;

export const DISPUTE_EVENT_VERSIONS = { PaymentDisputed: 1, DisputeClosed: 1 } as const;

/** `outcome` null: the dispute is open. */
export interface RecordDispute {
  readonly type: 'RecordDispute';
  readonly dispute: DisputeFacts;
  readonly outcome: string | null;
}

/** A payment with the status of each of its disputes, by id; the field is missing until the first one. */
export interface Disputable {
  readonly disputes?: Readonly<Record<string, 'open' | 'closed'>>;
}

export function applyDispute<P extends object>(payment: P & Disputable, { type, data }: DisputeEvent): P {
  const status = type === 'DisputeClosed' ? 'closed' : 'open';
  return { ...payment, disputes: { ...payment.disputes, [data.disputeId]: status } };
}

/** The end of a dispute can be reported before its beginning. */
export function decideDispute(
  { dispute, outcome }: RecordDispute,
  { disputes = {} }: Disputable,
  at: string,
): readonly DisputeEvent[] {
  const { disputeId, paymentId } = dispute;
  const known = disputes[disputeId];
  return [
    ...(known === undefined ? [{ type: 'PaymentDisputed', data: { ...dispute, at } } as const] : []),
    ...(outcome !== null && known !== 'closed'
      ? [{ type: 'DisputeClosed', data: { disputeId, paymentId, outcome, at } } as const]
      : []),
  ];
}
