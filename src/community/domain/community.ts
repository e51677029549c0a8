import type { Decider } from '../../kernel/decider.js';
import type { EncryptedField } from '../../kernel/encrypted-field.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';
import { DEFAULT_LEVELS, type LevelThreshold } from './levels.js';

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
  readonly email: EncryptedField | null;
}

interface NewCommunity extends CommunityContent {
  readonly communityId: string;
  readonly businessId: string | null;
  readonly owner: Founder;
}

export type CommunityEvent = Fact<'CommunityCreated', NewCommunity & { readonly levels: readonly LevelThreshold[] }>;

export interface KnownCommunity {
  readonly status: 'active' | 'archived';
  readonly id: string;
  readonly business: string | null;
  readonly ownerId: string;
  readonly levels: readonly LevelThreshold[];
}

export type Community = { readonly status: 'unknown' } | KnownCommunity;

function evolve(_: Community, { data }: CommunityEvent): Community {
  const { communityId: id, businessId: business, owner, levels } = data;
  return { status: 'active', id, business, ownerId: owner.userId, levels };
}

export type CommunityCommand = NewCommunity & { readonly type: 'CreateCommunity' };

function decide({ type: _, ...newCommunity }: CommunityCommand, state: Community): readonly CommunityEvent[] {
  if (state.status !== 'unknown') return [];
  if (newCommunity.tier === 'free' && newCommunity.productId !== null)
    throw Rejection.ofField('product_id', 'not_allowed', 'A free community has no product.');
  return [{ type: 'CommunityCreated', data: { ...newCommunity, levels: DEFAULT_LEVELS } }];
}

export const communityDecider: Decider<Community, CommunityCommand, CommunityEvent> = {
  category: 'community',
  versions: { CommunityCreated: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
