import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';

/* Stored names never change: a change is a new type. */
export type BusinessEvent = Fact<
  'BusinessCreated',
  { readonly businessId: string; readonly name: string; readonly ownerId: string }
>;

export type Business =
  | { readonly status: 'unknown' }
  | { readonly status: 'active'; readonly id: string; readonly name: string; readonly ownerId: string };

function evolve(_: Business, { data }: BusinessEvent): Business {
  return { status: 'active', id: data.businessId, name: data.name, ownerId: data.ownerId };
}

export interface BusinessCommand {
  readonly type: 'CreateBusiness';
  readonly businessId: string;
  readonly name: string;
  readonly ownerId: string;
}

function decide({ businessId, name, ownerId }: BusinessCommand, state: Business): readonly BusinessEvent[] {
  return state.status === 'unknown' ? [{ type: 'BusinessCreated', data: { businessId, name, ownerId } }] : [];
}

export const businessDecider: Decider<Business, BusinessCommand, BusinessEvent> = {
  category: 'business',
  versions: { BusinessCreated: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
