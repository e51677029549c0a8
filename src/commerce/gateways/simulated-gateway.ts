import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type ChargeResult, LATER_CHARGE } from '../domain/charge.js';
import type { RefundResult } from '../domain/refund-result.js';
import { type ChargeRequest, PaymentGateway, type RefundRequest } from '../payment-gateway.js';

const REFERENCE_CHARACTERS = 24;

interface Card {
  /** Null for an unknown token. */
  readonly last4: string | null;
  readonly outcome: 'succeeds' | 'pending' | 'unknown' | Decline;
  readonly declinesRefunds?: true;
  readonly declinesRenewals?: true;
  readonly isDisputed?: true;
}

interface Decline {
  readonly code: string;
  readonly detail: string;
  readonly hard: boolean;
}

const DECLINED: Decline = { code: 'card_declined', detail: 'The card was declined.', hard: false };

const CARDS: Readonly<Record<string, Card>> = {
  tok_ok: { last4: '4242', outcome: 'succeeds' },
  tok_declined: { last4: '0002', outcome: DECLINED },
  tok_insufficient_funds: {
    last4: '9995',
    outcome: { code: 'insufficient_funds', detail: 'The card has insufficient funds.', hard: false },
  },
  tok_lost_card: { last4: '9987', outcome: { code: 'lost_card', detail: 'The card was reported lost.', hard: true } },
  tok_pending: { last4: '0077', outcome: 'pending' },
  tok_timeout: { last4: '0408', outcome: 'unknown' },
  tok_fail_on_renewal: { last4: '0341', outcome: 'succeeds', declinesRenewals: true },
  tok_refund_declined: { last4: '5126', outcome: 'succeeds', declinesRefunds: true },
  tok_disputed: { last4: '0259', outcome: 'succeeds', isDisputed: true },
};

/** The tokens of the simulated cards. */
export const TEST_TOKENS: readonly string[] = Object.keys(CARDS);

const NO_CARD: Card = {
  last4: null,
  outcome: { code: 'payment_method_invalid', detail: 'The payment method is unknown.', hard: true },
};

const CANCELLED: Decline = { code: 'canceled', detail: 'The payment was cancelled.', hard: false };
const REFUND_DECLINE = { code: 'refund_declined', detail: 'The bank of the buyer declined the refund.' };

/**
 * A gateway that moves no money and stores nothing. The result depends only on the key of the charge, which ends with
 * the method token, so that a process gets the same result after a restart.
 */
@Injectable()
export class SimulatedGateway extends PaymentGateway {
  getName(): string {
    return 'simulated';
  }

  acceptsMethod(methodToken: string): boolean {
    return Object.hasOwn(CARDS, methodToken);
  }

  movesMoney(): boolean {
    return false;
  }

  getAmountStep(): number {
    return 1;
  }

  async charge({ key }: ChargeRequest): Promise<ChargeResult> {
    const { outcome } = findCard(key);
    return outcome === 'pending' || outcome === 'unknown' ? { status: outcome } : this.getStatus(key);
  }

  /** Every unsettled charge is settled at the first status check. */
  async getStatus(key: string): Promise<ChargeResult> {
    const { last4, outcome, isDisputed } = findCard(key);
    const method = last4 === null ? null : { type: 'card', brand: 'visa', last4 };
    if (typeof outcome === 'object') return { status: 'declined', ...outcome, method };
    return { status: 'succeeded', reference: referenceOf(key), method: method!, ...(isDisputed && { isDisputed }) };
  }

  /** A charge whose result is not known was not made. */
  async cancel(key: string): Promise<ChargeResult> {
    const result = await this.getStatus(key);
    const { outcome } = findCard(key);
    if (result.status !== 'succeeded' || outcome === 'succeeds') return result;
    return { status: 'declined', ...CANCELLED, method: result.method };
  }

  /** A refund is unsettled when its charge was. */
  async refund(request: RefundRequest): Promise<RefundResult> {
    const { outcome } = findCard(request.chargeKey);
    return outcome === 'pending' || outcome === 'unknown' ? { status: outcome } : this.getRefundStatus(request);
  }

  /** Every unsettled refund is settled at the first status check. */
  async getRefundStatus({ key, chargeKey }: RefundRequest): Promise<RefundResult> {
    if (findCard(chargeKey).declinesRefunds) return { status: 'declined', ...REFUND_DECLINE };
    return { status: 'succeeded', reference: referenceOf(key) };
  }
}

function findCard(key: string): Card {
  const isLater = key.startsWith(LATER_CHARGE);
  const paymentKey = isLater ? key.slice(LATER_CHARGE.length) : key;
  const token = paymentKey.slice(paymentKey.indexOf(':') + 1);
  const card = Object.hasOwn(CARDS, token) ? CARDS[token]! : NO_CARD;
  return isLater && card.declinesRenewals ? { ...card, outcome: DECLINED } : card;
}

function referenceOf(key: string): string {
  return `sim_${createHash('sha256').update(key).digest('hex').slice(0, REFERENCE_CHARACTERS)}`;
}
