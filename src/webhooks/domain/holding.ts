import type { Fact } from '../../kernel/event.js';
import type { Chain, ChainEvent, KnownChain, Run } from './chain.js';
import { isExpired } from './expiry.js';
import type { Target } from './target.js';

/** Why a replay job does not redeliver a chain that it has selected. */
export type SkipReason = 'changed' | 'endpoint_disabled' | 'expired' | 'attempts_exhausted';

interface OfJob {
  readonly chainId: string;
  readonly endpointId: string;
  readonly replayJobId: string;
}

export type HoldingEvent =
  | Fact<'ChainHeld', OfJob & { attempt: number }>
  /** Also ends the hold, where there is one. */
  | Fact<'ChainSkipped', OfJob & { reason: SkipReason }>
  | Fact<'ChainReleased', OfJob>;

export const holdingVersions = { ChainHeld: 1, ChainSkipped: 1, ChainReleased: 1 } as const;

export type HoldingCommand =
  /** `attempt`: the chain's last one, as it was selected; 0 for a missed chain. */
  | { readonly type: 'HoldChain'; readonly replayJobId: string; readonly attempt: number; readonly target: Target }
  | { readonly type: 'Redeliver'; readonly replayJobId: string; readonly target: Target; readonly leaseMs: number; readonly run: Run }
  | { readonly type: 'ReleaseChain'; readonly replayJobId: string };

type HoldChain = Extract<HoldingCommand, { type: 'HoldChain' }>;
export type Redeliver = Extract<HoldingCommand, { type: 'Redeliver' }>;

/** Once held, nothing but the job begins an attempt: no automatic one, and none by hand. */
export function hold(command: HoldChain, chain: KnownChain, now: string): readonly ChainEvent[] {
  const { replayJobId, attempt, target } = command;
  if (chain.heldBy === replayJobId) return [];
  const hasChanged = chain.status === 'sending' || chain.heldBy !== null || chain.attempts !== attempt;
  const reason = hasChanged ? 'changed' : reasonToSkip({ ...chain.facts, attempts: chain.attempts }, target, now);
  if (reason !== null) return [skipped(chain, replayJobId, reason)];
  return [{ type: 'ChainHeld', data: { ...ofJob(chain, replayJobId), attempt } }];
}

/** Why the job gives up a chain that it holds, at the moment of sending; null when it is to be sent. */
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

/** The endpoint may have been disabled since the chain was planned: it is asked what it is now. */
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
