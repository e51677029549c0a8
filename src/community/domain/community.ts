import type { Decider, DecisionContext } from '../../kernel/decider.js';
import { diff } from '../../kernel/diff.js';
import type { EncryptedField } from '../../kernel/encrypted-field.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';
import { assertLevelsRise, DEFAULT_LEVELS, type LevelThreshold } from './levels.js';

export const TIERS = ['free', 'paid'] as const;
export type Tier = (typeof TIERS)[number];
export const JOIN_POLICIES = ['open', 'invite'] as const;
export type JoinPolicy = (typeof JOIN_POLICIES)[number];

/** The fields that a new community may have. */
export interface CommunityContent {
  readonly name: string;
  readonly description: string | null;
  readonly coverImageUrl: string | null;
  readonly tier: Tier;
  /** The product that gives access to a paid community. Without it, only invited users can join. */
  readonly productId: string | null;
}

/** The fields that the owner may change. */
export interface CommunitySettings extends CommunityContent {
  readonly joinPolicy: JoinPolicy;
  readonly levels: readonly LevelThreshold[];
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

export interface TransferParty {
  readonly userId: string;
  readonly memberId: string;
}

/** `transfer` counts the transfers of the community. */
export interface Transfer {
  readonly from: TransferParty;
  readonly to: TransferParty;
  readonly transfer: number;
}

export type CommunityEvent =
  | Fact<'CommunityCreated', NewCommunity & { readonly levels: readonly LevelThreshold[] }>
  | Fact<'CommunityEdited', { communityId: string; changes: Partial<CommunitySettings>; at: string }>
  | Fact<'CommunityArchived', { communityId: string; at: string }>
  | Fact<'CommunityReopened', { communityId: string; at: string }>
  /** `businessId` is the business afterwards: none, unless the new owner owns it too. Missing in older events: it stays. */
  | Fact<'CommunityTransferred', Transfer & { communityId: string; businessId?: string | null; at: string }>;

type TransferredCommunity = Extract<CommunityEvent, { type: 'CommunityTransferred' }>['data'];

export interface KnownCommunity {
  readonly status: 'active' | 'archived';
  readonly id: string;
  readonly business: string | null;
  readonly ownerId: string;
  readonly settings: CommunitySettings;
  readonly transfers: number;
}

export type Community = { readonly status: 'unknown' } | KnownCommunity;

function evolve(community: Community, event: CommunityEvent): Community {
  if (event.type === 'CommunityCreated') return applyCreated(event.data);
  if (community.status === 'unknown') return community;

  switch (event.type) {
    case 'CommunityEdited':
      return { ...community, settings: { ...community.settings, ...event.data.changes } };
    case 'CommunityArchived':
      return { ...community, status: 'archived' };
    case 'CommunityReopened':
      return { ...community, status: 'active' };
    case 'CommunityTransferred':
      return transfer(community, event.data);
  }
}

function transfer(
  community: KnownCommunity,
  { to, transfer: transfers, businessId = community.business }: TransferredCommunity,
): KnownCommunity {
  return { ...community, ownerId: to.userId, business: businessId, transfers };
}

function applyCreated(data: Extract<CommunityEvent, { type: 'CommunityCreated' }>['data']): KnownCommunity {
  const { communityId: id, businessId: business, owner, name, description, coverImageUrl, tier, productId } = data;
  const content = { name, description, coverImageUrl, tier, productId };
  const settings = { ...content, joinPolicy: 'open', levels: data.levels } as const;
  return { status: 'active', id, business, ownerId: owner.userId, settings, transfers: 0 };
}

export type CommunityCommand =
  | ({ readonly type: 'CreateCommunity' } & NewCommunity)
  | { readonly type: 'EditCommunity'; readonly settings: Partial<CommunitySettings>; readonly reopens: boolean }
  | { readonly type: 'ArchiveCommunity' }
  | {
      readonly type: 'TransferCommunity';
      readonly from: TransferParty;
      readonly to: TransferParty;
      readonly businessId: string | null;
    };

function decide(command: CommunityCommand, community: Community, { now: at }: DecisionContext): CommunityEvent[] {
  if (command.type === 'CreateCommunity') return community.status === 'unknown' ? create(command) : [];
  if (community.status === 'unknown') throw Rejection.notFound();

  const { id: communityId, ownerId, status } = community;
  switch (command.type) {
    case 'EditCommunity':
      return [...reopen(command, community, at), ...edit(command.settings, community, at)];
    case 'ArchiveCommunity':
      return status === 'archived' ? [] : [{ type: 'CommunityArchived', data: { communityId, at } }];
    case 'TransferCommunity': {
      const { from, to, businessId } = command;
      if (to.userId === ownerId) return [];
      if (from.userId !== ownerId)
        throw new Rejection('concurrent_update', 'The community was transferred at the same time. Try again.');
      const transferred = { communityId, from, to, businessId, transfer: community.transfers + 1, at };
      return [{ type: 'CommunityTransferred', data: transferred }];
    }
  }
}

function create({ type: _, ...newCommunity }: Extract<CommunityCommand, { type: 'CreateCommunity' }>) {
  assertProductFits(newCommunity);
  return [{ type: 'CommunityCreated', data: { ...newCommunity, levels: DEFAULT_LEVELS } } as const];
}

/** @throws Rejection community_archived */
function reopen({ reopens }: { readonly reopens: boolean }, community: KnownCommunity, at: string): CommunityEvent[] {
  const { id: communityId, status } = community;
  if (status === 'archived' && !reopens) throw createArchivedRejection();
  return status === 'archived' ? [{ type: 'CommunityReopened', data: { communityId, at } }] : [];
}

function edit(settings: Partial<CommunitySettings>, community: KnownCommunity, at: string): CommunityEvent[] {
  const changes = diff(settings, community.settings);
  if (Object.keys(changes).length === 0) return [];
  const merged = { ...community.settings, ...changes };
  assertLevelsRise(merged.levels);
  assertProductFits(merged);
  assertProductKept(changes, merged);
  return [{ type: 'CommunityEdited', data: { communityId: community.id, changes, at } }];
}

/** A community may be created as a paid one without a product, but it neither becomes paid without one nor loses it. */
function assertProductKept({ tier, productId }: Partial<CommunitySettings>, merged: CommunitySettings): void {
  if (tier === undefined && productId === undefined) return;
  if (merged.tier === 'paid' && merged.productId === null)
    throw new Rejection('product_required', 'A paid community needs a product.', 'product_id');
}

export function createArchivedRejection(): Rejection {
  return new Rejection('community_archived', 'The community is archived: it can be read, but not changed.');
}

function assertProductFits({ tier, productId }: Pick<CommunityContent, 'tier' | 'productId'>): void {
  if (tier === 'free' && productId !== null)
    throw Rejection.ofField('product_id', 'not_allowed', 'A free community has no product.');
}

export const communityDecider: Decider<Community, CommunityCommand, CommunityEvent> = {
  category: 'community',
  versions: {
    CommunityCreated: 1,
    CommunityEdited: 1,
    CommunityArchived: 1,
    CommunityReopened: 1,
    CommunityTransferred: 1,
  },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
