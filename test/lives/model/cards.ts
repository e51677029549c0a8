/** The behaviour of a method token at the simulated gateway. */
export interface Card {
  readonly first: 'succeeds' | 'pending' | 'declined';
  readonly later: 'succeeds' | 'pending' | 'declined';
  /** A hard decline is not tried again. */
  readonly hard?: true;
  readonly declinesRefunds?: true;
  /** When the service asks for the result of a pending charge or refund. */
  readonly settlesAfterMs?: number;
}

const HOUR_MS = 3_600_000;
/** The first question after a lost response. */
const SECOND_MS = 1_000;

const CARDS: Readonly<Record<string, Card>> = {
  tok_ok: { first: 'succeeds', later: 'succeeds' },
  tok_declined: { first: 'declined', later: 'declined' },
  tok_insufficient_funds: { first: 'declined', later: 'declined' },
  tok_lost_card: { first: 'declined', later: 'declined', hard: true },
  tok_pending: { first: 'pending', later: 'pending', settlesAfterMs: HOUR_MS },
  tok_timeout: { first: 'pending', later: 'pending', settlesAfterMs: SECOND_MS },
  tok_fail_on_renewal: { first: 'succeeds', later: 'declined' },
  tok_disputed: { first: 'succeeds', later: 'succeeds' },
  tok_refund_declined: { first: 'succeeds', later: 'succeeds', declinesRefunds: true },
};

export function cardOf(token: string): Card {
  return CARDS[token]!;
}
