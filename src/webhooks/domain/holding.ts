import type { Fact } from '../../kernel/event.js';
import type { Chain, ChainEvent, KnownChain, Run } from './chain.js';
import { isExpired } from './expiry.js';
import type { Target } from './target.js';

/** The reasons why a replay job does not redeliver a selected chain. */
export type SkipReason = 'changed' | 'endpoint_disabled' | 'expired' | 'attempts_exhausted';

interface OfJob {
  readonly chainId: string;
  readonly endpointId: string;
  readonly replayJobId: string;
}

export type HoldingEvent =
  | Fact<'ChainHeld', OfJob & { attempt: number }>
  /** Skipping also ends the hold of the job. */
  | Fact<'ChainSkipped', OfJob & { reason: SkipReason }>
  | Fact<'ChainReleased', OfJob>;

export const holdingVersions = { ChainHeld: 1, ChainSkipped: 1, ChainReleased: 1 } as const;

export type HoldingCommand =
  /** `attempt` is the last attempt of the chain at selection time; 0 for a missed chain. */
  | { readonly type: 'HoldChain'; readonly replayJobId: string; readonly attempt: number; readonly target: Target }
  | { readonly type: 'Redeliver'; readonly replayJobId: string; readonly target: Target; readonly leaseMs: number; readonly run: Run }
  | { readonly type: 'ReleaseChain'; readonly replayJobId: string };

type HoldChain = Extract<HoldingCommand, { type: 'HoldChain' }>;
export type Redeliver = Extract<HoldingCommand, { type: 'Redeliver' }>;

/** Holds the chain for the job. No other automatic or manual attempt starts while the job holds it. */
export function hold(command: HoldChain, chain: KnownChain, now: string): readonly ChainEvent[] {
  const { replayJobId, attempt, target } = command;
  if (chain.heldBy === replayJobId) return [];
  const hasChanged = chain.status === 'sending' || chain.heldBy !== null || chain.attempts !== attempt;
  const reason = hasChanged ? 'changed' : reasonToSkip({ ...chain.facts, attempts: chain.attempts }, target, now);
  if (reason !== null) return [skipped(chain, replayJobId, reason)];
  return [{ type: 'ChainHeld', data: { ...ofJob(chain, replayJobId), attempt } }];
}

/** Returns the event that skips a held chain when the job is about to send it; null when the job may send it. */
export function skippedAtSending({ replayJobId, target }: Redeliver, chain: KnownChain, now: string): ChainEvent | null {
  const reason = reasonToSkip({ ...chain.facts, attempts: chain.attempts }, target, now);
  return reason && skipped(chain, replayJobId, reason);
}

export function release(replayJobId: string, chain: KnownChain): readonly ChainEvent[] {
  return isHeldBy(chain, replayJobId) ? [{ type: 'ChainReleased', data: ofJob(chain, replayJobId) }] : [];
}

export function isHeldBy(chain: Chain, replayJobId: string): chain is KnownChain {
  return chain.status !== 'unknown' && chain.heldBy === replayJobId;
}

/** Checks the current state of the endpoint, because the endpoint may have been disabled after planning. */
export function reasonToSkip({ occurredAt, attempts, maxAttempts }: Skippable, target: Target, now: string): SkipReason | null {
  if (target.status !== 'enabled') return 'endpoint_disabled';
  if (isExpired(occurredAt, now)) return 'expired';
  return attempts >= maxAttempts ? 'attempts_exhausted' : null;
}

interface Skippable {
  readonly occurredAt: string;
  readonly attempts: number;
  readonly maxAttempts: number;
}

function skipped(chain: KnownChain, replayJobId: string, reason: SkipReason): ChainEvent {
  return { type: 'ChainSkipped', data: { ...ofJob(chain, replayJobId), reason } };
}

function ofJob({ facts: { chainId, endpointId } }: KnownChain, replayJobId: string): OfJob {
  return { chainId, endpointId, replayJobId };
}
