import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';

/** `source`: the subscription, or the line item of an order, that entitles the buyer. */
interface Entitlement {
  readonly productId: string;
  readonly emailHash: string;
  readonly source: string;
}

/**
 * `userId`: the user who had verified the address at the time of the grant, also when it is another user's now. Null,
 * and missing in older events: nobody had, so the entitlement belongs to the first user who verifies it.
 */
interface Owned {
  readonly userId?: string | null;
}

export type EntitlementEvent =
  | Fact<'EntitlementGranted', Entitlement & Owned & { at: string }>
  | Fact<'EntitlementEnded', Entitlement & Owned & { at: string }>;

/** A source that entitles the buyer now, and its user. */
export interface EntitlementSource {
  readonly source: string;
  readonly userId: string | null;
}

export interface EntitlementState {
  readonly sources: readonly EntitlementSource[];
}

function evolve({ sources }: EntitlementState, { type, data }: EntitlementEvent): EntitlementState {
  switch (type) {
    case 'EntitlementGranted':
      return { sources: [...sources, { source: data.source, userId: data.userId ?? null }] };
    case 'EntitlementEnded':
      return { sources: sources.filter(({ source }) => source !== data.source) };
  }
}

export type EntitlementCommand = Entitlement &
  ({ readonly type: 'GrantEntitlement'; readonly userId: string | null } | { readonly type: 'EndEntitlement' });

function decide(
  command: EntitlementCommand,
  { sources }: EntitlementState,
  { now: at }: DecisionContext,
): readonly EntitlementEvent[] {
  const { productId, emailHash, source } = command;
  const granted = sources.find((known) => known.source === source);
  const entitlement = { productId, emailHash, source, at };
  switch (command.type) {
    case 'GrantEntitlement':
      if (granted !== undefined) return [];
      return [{ type: 'EntitlementGranted', data: { ...entitlement, userId: command.userId } }];
    case 'EndEntitlement':
      if (granted === undefined) return [];
      return [{ type: 'EntitlementEnded', data: { ...entitlement, userId: granted.userId } }];
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
