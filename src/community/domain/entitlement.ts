import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';

/** `source`: the subscription, or the line item of an order, that entitles the buyer. */
interface Entitlement {
  readonly productId: string;
  readonly emailHash: string;
  readonly source: string;
}

export type EntitlementEvent =
  Fact<'EntitlementGranted', Entitlement & { at: string }> | Fact<'EntitlementEnded', Entitlement & { at: string }>;

/** The sources that entitle the buyer now. */
export interface EntitlementState {
  readonly sources: readonly string[];
}

function evolve({ sources }: EntitlementState, { type, data }: EntitlementEvent): EntitlementState {
  switch (type) {
    case 'EntitlementGranted':
      return { sources: [...sources, data.source] };
    case 'EntitlementEnded':
      return { sources: sources.filter((source) => source !== data.source) };
  }
}

export interface EntitlementCommand extends Entitlement {
  readonly type: 'GrantEntitlement' | 'EndEntitlement';
}

function decide(
  { type, ...entitlement }: EntitlementCommand,
  { sources }: EntitlementState,
  { now: at }: DecisionContext,
): readonly EntitlementEvent[] {
  const isGranted = sources.includes(entitlement.source);
  switch (type) {
    case 'GrantEntitlement':
      return isGranted ? [] : [{ type: 'EntitlementGranted', data: { ...entitlement, at } }];
    case 'EndEntitlement':
      return isGranted ? [{ type: 'EntitlementEnded', data: { ...entitlement, at } }] : [];
  }
}

/** The right of one buyer's address to the communities of one product. */
export const entitlementDecider: Decider<EntitlementState, EntitlementCommand, EntitlementEvent> = {
  category: 'entitlement',
  versions: { EntitlementGranted: 1, EntitlementEnded: 1 },
  initial: { sources: [] },
  evolve,
  decide,
};

export function entitlementIdOf(productId: string, emailHash: string): string {
  return `${productId}.${emailHash}`;
}
