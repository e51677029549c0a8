import { createMapBaseline, type Decider, type DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection, type RejectionCode } from '../../kernel/rejection.js';

/* Stored names never change: a change is a new type. */
export type OwnershipQuotaEvent =
  | Fact<'OwnershipQuotaClaimed', { readonly ownedId: string; readonly at: string }>
  | Fact<'OwnershipQuotaReleased', { readonly ownedId: string }>;

/** The time of each claim, by the id of the owned business or key. */
type OwnershipQuota = ReadonlyMap<string, string>;

function evolve(quota: OwnershipQuota, { type, data }: OwnershipQuotaEvent): OwnershipQuota {
  const next = new Map(quota);
  switch (type) {
    case 'OwnershipQuotaClaimed':
      return next.set(data.ownedId, data.at);
    case 'OwnershipQuotaReleased':
      next.delete(data.ownedId);
      return next;
  }
}

export type OwnershipQuotaCommand =
  | { readonly type: 'ClaimQuota'; readonly ownedId: string; readonly limit: number }
  | { readonly type: 'ReleaseQuota'; readonly ownedId: string };

function decide(
  code: RejectionCode,
  command: OwnershipQuotaCommand,
  quota: OwnershipQuota,
  { now }: DecisionContext,
): readonly OwnershipQuotaEvent[] {
  const { ownedId } = command;
  switch (command.type) {
    case 'ClaimQuota':
      if (quota.has(ownedId)) return [];
      if (quota.size >= command.limit) throw new Rejection(code, `The limit of ${command.limit} is reached.`);
      return [{ type: 'OwnershipQuotaClaimed', data: { ownedId, at: now } }];
    case 'ReleaseQuota':
      return quota.has(ownedId) ? [{ type: 'OwnershipQuotaReleased', data: { ownedId } }] : [];
  }
}

/**
 * Limits what an owner can own. Each owned item claims quota first, so that concurrent requests cannot exceed the
 * limit. Rotations of keys claim and release quota without end, so the stream is unbounded.
 */
function createQuota(
  category: string,
  code: RejectionCode,
): Decider<OwnershipQuota, OwnershipQuotaCommand, OwnershipQuotaEvent> {
  return {
    category,
    unbounded: true,
    baseline: createMapBaseline(1),
    versions: { OwnershipQuotaClaimed: 1, OwnershipQuotaReleased: 1 },
    initial: new Map(),
    evolve,
    decide: (command, quota, x) => decide(code, command, quota, x),
  };
}

/** User → businesses. */
export const businessQuotaDecider = createQuota('businessQuota', 'business_limit_reached');
/** Business → API keys that have not ended. */
export const keyQuotaDecider = createQuota('keyQuota', 'key_limit_reached');
