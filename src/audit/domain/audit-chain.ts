import { createJsonBaseline, type Decider, type DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import type { HashChainState } from './chain-checkpoint.js';

/** The id of the chain of the events that belong to no business. */
const SHARED_CHAIN = 'none';

interface SignedState extends HashChainState {
  readonly business: string | null;
  readonly keyId: string;
  /** Both in base64url. */
  readonly publicKey: string;
  readonly signature: string;
}

export type AuditChainEvent = Fact<'ChainCheckpointSigned', SignedState & { readonly at: string }>;

/** The latest checkpoint of a chain, or null. */
export interface AuditChain {
  readonly latest: (SignedState & { readonly at: string }) | null;
}

export type AuditChainCommand = { readonly type: 'SignChainCheckpoint' } & SignedState;

/**
 * The event of a checkpoint is itself an event of the chain, so a chain with only this event after its checkpoint is not
 * signed again.
 */
function decide(
  { type: _, ...signed }: AuditChainCommand,
  { latest }: AuditChain,
  { now: at }: DecisionContext,
): AuditChainEvent[] {
  if (latest !== null && signed.count <= latest.count + 1) return [];
  return [{ type: 'ChainCheckpointSigned', data: { ...signed, at } }];
}

export const auditChainDecider: Decider<AuditChain, AuditChainCommand, AuditChainEvent> = {
  category: 'auditChain',
  unbounded: true,
  versions: { ChainCheckpointSigned: 1 },
  baseline: createJsonBaseline(1),
  initial: { latest: null },
  evolve: (_, { data }) => ({ latest: data }),
  decide,
};

export function hashChainIdOf(business: string | null): string {
  return business ?? SHARED_CHAIN;
}

/** Returns the business of a chain; null for the chain of the events that belong to none. */
export function businessOfChain(chainId: string): string | null {
  return chainId === SHARED_CHAIN ? null : chainId;
}
