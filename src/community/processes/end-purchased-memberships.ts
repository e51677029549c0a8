import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import type { WhereOf } from '../../kernel/read-models.js';
import { CommunityAccess } from '../access/community-access.js';
import { Members } from '../commands/members.steps.js';
import { CommunityContexts } from '../community-contexts.js';
import { communityDecider } from '../domain/community.js';
import type { EntitlementEvent } from '../domain/entitlement.js';
import { memberDecider } from '../domain/member.js';
import type { MemberEvent } from '../domain/member-events.js';
import type { KnownMember } from '../domain/member-state.js';
import { Entitlements } from '../entitlements.js';
import { type CommunityProduct, communityProducts } from '../projections/community-products.js';

/** More communities of one product, or products of one community, are not expected. */
const MAX_PRODUCTS = 1_000;

type EntitlementEnded = Extract<EntitlementEvent, { type: 'EntitlementEnded' }>;
/** The events that make a member one whom the end of a purchase removes: it may have ended before. */
type Start = Extract<
  MemberEvent,
  {
    type:
      'MemberJoined' | 'MemberRejoined' | 'MemberActivated' | 'MemberUnbanned' | 'MemberChanged' | 'OwnershipChanged';
  }
>;
type Cause = EntitlementEnded | Start;

/**
 * Removes the members who joined by a purchase when no purchase of a product of the community is left. A role, a level or
 * a badge that they got since is no other reason; only the owner stays.
 */
@Injectable()
export class EndPurchasedMemberships implements Reactor<Cause> {
  readonly name = 'end-purchased-memberships';
  readonly types = typesOf<Cause>({
    EntitlementEnded: true,
    MemberJoined: true,
    MemberRejoined: true,
    MemberActivated: true,
    MemberUnbanned: true,
    MemberChanged: true,
    OwnershipChanged: true,
  });
  readonly needs = [communityProducts];

  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly access: CommunityAccess,
    private readonly members: Members,
    private readonly entitlements: Entitlements,
    private readonly contexts: CommunityContexts,
  ) {}

  async react(event: RecordedOf<Cause>): Promise<void> {
    if (event.type !== 'EntitlementEnded') return this.endIfPurchased(event);
    const { productId, emailHash } = event.data;
    const userId = await this.entitlements.findUser(event.data, emailHash);
    if (userId === null) return;
    await this.reader.requirePosition(communityProducts, event.position);
    const context = createEventContext(event, this.name);
    for (const { communityId } of await this.find({ productId }, context)) {
      const member = await this.access.findMember(communityId, userId);
      if (member.status !== 'unknown') await this.end(member, event);
    }
  }

  /**
   * A purchase that ended during a ban, or while the member was the owner, has removed nobody. Nor has one that ended
   * after a join had found it, and before the join was recorded. Older versions kept moderators too.
   */
  private async endIfPurchased(event: RecordedOf<Start>): Promise<void> {
    if (!mayNeedPurchase(event)) return;
    const member = await this.streams.loadState(memberDecider, event.data.memberId);
    if (member.status === 'unknown' || !member.purchased) return;
    await this.reader.requirePosition(communityProducts, event.position);
    await this.end(member, event);
  }

  private async end({ id, communityId, userId }: KnownMember, event: RecordedOf<Cause>): Promise<void> {
    const context = await this.contexts.enter(communityId, createEventContext(event, this.name, communityId));
    if (await this.isEntitled(communityId, userId, context)) return;
    await this.members.change(id, { type: 'EndPurchase' }, context);
  }

  /** A free community keeps its members, and each its owner. Purchases of earlier products count too. */
  private async isEntitled(communityId: string, userId: string, context: Context): Promise<boolean> {
    const community = await this.streams.loadState(communityDecider, communityId);
    if (community.status === 'unknown' || community.settings.tier === 'free') return true;
    if (community.ownerId === userId) return true;
    const products = await this.find({ communityId }, context);
    return this.entitlements.hasAny(
      products.map(({ productId }) => productId),
      userId,
    );
  }

  private find(where: WhereOf<CommunityProduct>, { consistency }: Context): Promise<readonly CommunityProduct[]> {
    return this.reader.find(communityProducts, where, MAX_PRODUCTS, consistency);
  }
}

/** Whether the event can leave the purchase as the only reason of the membership. The member's stream decides. */
function mayNeedPurchase({ type, data }: Start): boolean {
  if (type === 'MemberChanged') return data.changes.role === 'member';
  if (type === 'OwnershipChanged') return data.role === 'moderator';
  return (type !== 'MemberJoined' && type !== 'MemberRejoined') || data.purchased === true;
}
