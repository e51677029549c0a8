import type { DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';
import type { Buyer } from './buyer.js';
import type { Charge } from './charge.js';

export const DISPUTE_OUTCOMES = ['won', 'lost'] as const;
export const DISPUTE_STATUSES = ['open', ...DISPUTE_OUTCOMES] as const;

export type DisputeOutcome = (typeof DISPUTE_OUTCOMES)[number];

interface DisputeIds {
  readonly disputeId: string;
  readonly paymentId: string;
}

/** A change of the seller's balance. `fundsReleased`: the seller has the funds of the payment. */
interface MovedMoney {
  readonly businessId: string;
  readonly currency: string;
  readonly changeCents: number;
  readonly fundsReleased: boolean;
}

/** The data that a dispute has since it moves money: older events do not have them, and moved none. */
interface DisputeMoney extends MovedMoney {
  readonly orderId: string;
  readonly buyer: Buyer;
  /** The id of the dispute at the gateway. In older events, `disputeId` is this id. */
  readonly gatewayReference: string;
  readonly evidenceDueAt: string | null;
}

/** `amountCents` is the amount that the buyer's bank asks for. */
interface PaymentDisputed extends DisputeIds, Partial<DisputeMoney> {
  readonly amountCents: number;
  readonly currency: string;
  readonly reason: string;
  readonly at: string;
}

/** `returnedCents`: the amount without fees that the seller gets back. Older events have other outcomes. */
interface DisputeClosed extends DisputeIds, Partial<MovedMoney & { readonly returnedCents: number }> {
  readonly outcome: string;
  readonly at: string;
}

/** The events of a dispute, in the stream of its payment. */
export type DisputeEvent =
  | Fact<'PaymentDisputed', PaymentDisputed>
  | Fact<'DisputeFeeCharged', DisputeIds & MovedMoney & { feeCents: number; at: string }>
  | Fact<'DisputeClosed', DisputeClosed>;

export const DISPUTE_EVENT_VERSIONS = { PaymentDisputed: 1, DisputeFeeCharged: 1, DisputeClosed: 1 } as const;

/** The present state of a dispute at the gateway. `feeCents`: all fees that the gateway has charged for it. */
export interface DisputeReport {
  readonly gatewayReference: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly reason: string;
  readonly status: (typeof DISPUTE_STATUSES)[number];
  readonly feeCents: number;
  readonly evidenceDueAt: string | null;
}

export type DisputeCommand =
  | { readonly type: 'RecordDispute'; readonly report: DisputeReport }
  | { readonly type: 'CloseDispute'; readonly disputeId: string; readonly outcome: DisputeOutcome };

/** The amount and the fees are 0 when the dispute moved no money. */
interface Dispute {
  readonly disputeId: string;
  readonly gatewayReference: string;
  readonly currency: string;
  readonly outcome: string | null;
  /** The time of the last outcome. */
  readonly closedAt: string | null;
  readonly movesMoney: boolean;
  readonly amountCents: number;
  readonly feeCents: number;
}

/** A payment with its disputes; the field is missing until the first one. */
export interface Disputable {
  readonly disputes?: readonly Dispute[];
}

interface DisputablePayment extends Disputable {
  readonly charge: Charge;
  readonly fundsReleased: boolean;
}

/** Returns the amount that buyers' banks have taken or may take, and that is not refundable therefore. */
export function sumDisputed({ disputes = [] }: Disputable): number {
  return disputes.filter(isWithheld).reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** Returns what disputes keep out of the seller's balance: the disputed amounts and the fees. */
export function sumWithheld({ disputes = [] }: Disputable): number {
  return disputes.filter(isWithheld).reduce((sum, { amountCents, feeCents }) => sum + amountCents + feeCents, 0);
}

/** Returns whether a dispute was lost after this time, and was not won by an appeal. */
export function isLostAfter({ disputes = [] }: Disputable, at: string): boolean {
  return disputes.some(({ outcome, closedAt }) => outcome === 'lost' && closedAt! > at);
}

function isWithheld({ outcome }: Dispute): boolean {
  return outcome !== 'won';
}

export function applyDispute<P extends object>(payment: P & Disputable, event: DisputeEvent): P {
  const { disputes = [] } = payment;
  if (event.type === 'PaymentDisputed') return { ...payment, disputes: [...disputes, toDispute(event.data)] };

  const { disputeId } = event.data;
  const change = (dispute: Dispute): Dispute =>
    event.type === 'DisputeClosed'
      ? { ...dispute, outcome: event.data.outcome, closedAt: event.data.at }
      : { ...dispute, feeCents: dispute.feeCents + event.data.feeCents };
  return {
    ...payment,
    disputes: disputes.map((dispute) => (dispute.disputeId === disputeId ? change(dispute) : dispute)),
  };
}

function toDispute({ disputeId, gatewayReference, amountCents, currency }: PaymentDisputed): Dispute {
  const movesMoney = gatewayReference !== undefined;
  return {
    disputeId,
    gatewayReference: gatewayReference ?? disputeId,
    currency,
    outcome: null,
    closedAt: null,
    movesMoney,
    amountCents: movesMoney ? amountCents : 0,
    feeCents: 0,
  };
}

/** @throws Rejection not_found; permission_denied, when a real gateway closes the dispute; dispute_closed */
export function decideDispute(
  command: DisputeCommand,
  payment: DisputablePayment,
  x: DecisionContext,
): readonly DisputeEvent[] {
  return command.type === 'RecordDispute'
    ? record(command.report, payment, x)
    : close(command.disputeId, command.outcome, payment, x.now);
}

/** Reports can repeat, and arrive in another order: a closed dispute stays closed, except that an appeal can win it. */
function record(report: DisputeReport, payment: DisputablePayment, x: DecisionContext) {
  const known = payment.disputes?.find(({ gatewayReference }) => gatewayReference === report.gatewayReference);
  const opened = known === undefined ? open(report, payment, x.createId('dp'), x.now) : null;
  const dispute = known ?? toDispute(opened!.data);
  const feeCents = dispute.movesMoney && isWithheld(dispute) ? Math.max(0, report.feeCents - dispute.feeCents) : 0;
  const charged = { ...dispute, feeCents: dispute.feeCents + feeCents };
  return [
    ...(opened === null ? [] : [opened]),
    ...(feeCents === 0 ? [] : [chargeFee(dispute, feeCents, payment, x.now)]),
    ...(canEnd(dispute, report.status) ? [end(charged, report.status, payment, x.now)] : []),
  ];
}

function canEnd({ outcome }: Dispute, status: DisputeReport['status']): status is DisputeOutcome {
  return status === 'won' ? outcome !== 'won' : status === 'lost' && outcome === null;
}

function open(report: DisputeReport, { charge, fundsReleased }: DisputablePayment, disputeId: string, at: string) {
  const { gatewayReference, amountCents, currency, reason, evidenceDueAt } = report;
  const { paymentId, orderId, businessId, buyer } = charge;
  const facts = { disputeId, paymentId, orderId, businessId, buyer, gatewayReference, changeCents: -amountCents };
  const data = { ...facts, amountCents, currency, reason, evidenceDueAt, fundsReleased, at };
  return { type: 'PaymentDisputed', data } as const;
}

function close(disputeId: string, outcome: DisputeOutcome, payment: DisputablePayment, at: string) {
  const dispute = payment.disputes?.find((other) => other.disputeId === disputeId);
  if (dispute === undefined) throw Rejection.notFound();
  if (payment.charge.gateway !== 'simulated')
    throw new Rejection('permission_denied', `The gateway ${payment.charge.gateway} decides this dispute.`);
  if (dispute.outcome !== null && dispute.outcome !== outcome)
    throw new Rejection('dispute_closed', `The dispute is ${dispute.outcome}.`, 'status');
  return dispute.outcome === null ? [end(dispute, outcome, payment, at)] : [];
}

function chargeFee(dispute: Dispute, feeCents: number, payment: DisputablePayment, at: string): DisputeEvent {
  return { type: 'DisputeFeeCharged', data: { ...toMovedMoney(dispute, -feeCents, payment), feeCents, at } };
}

function end(dispute: Dispute, outcome: DisputeOutcome, payment: DisputablePayment, at: string): DisputeEvent {
  const { disputeId, movesMoney, amountCents, feeCents } = dispute;
  const { paymentId } = payment.charge;
  if (!movesMoney) return { type: 'DisputeClosed', data: { disputeId, paymentId, outcome, at } };

  const returnedCents = outcome === 'won' ? amountCents : 0;
  const moved = toMovedMoney(dispute, outcome === 'won' ? amountCents + feeCents : 0, payment);
  return { type: 'DisputeClosed', data: { ...moved, outcome, returnedCents, at } };
}

function toMovedMoney(
  { disputeId, currency }: Dispute,
  changeCents: number,
  { charge: { paymentId, businessId }, fundsReleased }: DisputablePayment,
) {
  return { disputeId, paymentId, businessId, currency, changeCents, fundsReleased };
}
