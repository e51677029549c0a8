import type { Decider, Decision } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';
import type { Sealed } from '../../kernel/sealed.js';
import { DEFAULT_LADDER, type Rung } from './levels.js';

export const TIERS = ['free', 'paid'] as const;
export type Tier = (typeof TIERS)[number];

/** The fields that the owner may set. */
export interface CommunityContent {
  readonly name: string;
  readonly description: string | null;
  readonly coverImageUrl: string | null;
  readonly tier: Tier;
  /** The product that gives access to a paid community. Without it, only invited users can join. */
  readonly productId: string | null;
}

/** The creator of a community: its owner and first member. */
export interface Founder {
  readonly userId: string;
  readonly memberId: string;
  readonly email: Sealed | null;
}

interface Founding extends CommunityContent {
  readonly communityId: string;
  readonly businessId: string | null;
  readonly owner: Founder;
}

export type CommunityEvent = Fact<'CommunityCreated', Founding & { readonly ladder: readonly Rung[]; readonly at: string }>;

export interface KnownCommunity {
  readonly status: 'active';
  readonly id: string;
  readonly business: string | null;
  readonly ownerId: string;
  readonly ladder: readonly Rung[];
}

export type Community = { readonly status: 'unknown' } | KnownCommunity;

function evolve(_: Community, { data }: CommunityEvent): Community {
  const { communityId: id, businessId: business, owner, ladder } = data;
  return { status: 'active', id, business, ownerId: owner.userId, ladder };
}

export type CommunityCommand = Founding & { readonly type: 'CreateCommunity' };

function decide({ type: _, ...founding }: CommunityCommand, state: Community, { now }: Decision): readonly CommunityEvent[] {
  if (state.status !== 'unknown') return [];
  if (founding.tier === 'free' && founding.productId !== null)
    throw Rejection.field('product_id', 'not_allowed', 'A free community has no product.');
  return [{ type: 'CommunityCreated', data: { ...founding, ladder: DEFAULT_LADDER, at: now } }];
}

export const community: Decider<Community, CommunityCommand, CommunityEvent> = {
  category: 'community',
  versions: { CommunityCreated: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
