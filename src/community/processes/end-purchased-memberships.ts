import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import type { Where } from '../../kernel/read-models.js';
import { Members } from '../commands/members.steps.js';
import { CommunityAccess } from '../community-access.js';
import { communityDecider } from '../domain/community.js';
import type { EntitlementEvent } from '../domain/entitlement.js';
import { Entitlements } from '../entitlements.js';
import { type CommunityProduct, communityProducts } from '../projections/community-products.js';

/** More communities of one product, or products of one community, are not expected. */
const MAX_PRODUCTS = 1_000;

type EntitlementEnded = Extract<EntitlementEvent, { type: 'EntitlementEnded' }>;

/** Removes the members who joined by a purchase when no purchase of a product of the community is left. */
@Injectable()
export class EndPurchasedMemberships implements Reactor<EntitlementEnded> {
  readonly name = 'end-purchased-memberships';
  readonly types = typesOf<EntitlementEnded>({ EntitlementEnded: true });
  readonly needs = [communityProducts];

  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly access: CommunityAccess,
    private readonly members: Members,
    private readonly entitlements: Entitlements,
  ) {}

  async react(event: RecordedOf<EntitlementEnded>): Promise<void> {
    const { productId, emailHash } = event.data;
    const context = createEventContext(event, this.name);
    await this.reader.requirePosition(communityProducts, event.position);
    for (const { communityId } of await this.find({ productId }, context)) {
      const member = await this.access.findMember(communityId, emailHash);
      if (member.status === 'unknown' || (await this.isEntitled(communityId, emailHash, context))) continue;
      await this.members.change(member.id, { type: 'EndPurchase' }, createEventContext(event, this.name, communityId));
    }
  }

  /** A free community keeps its members. Purchases of earlier products count too. */
  private async isEntitled(communityId: string, emailHash: string, context: Context): Promise<boolean> {
    const community = await this.streams.loadState(communityDecider, communityId);
    if (community.status === 'unknown' || community.settings.tier === 'free') return true;
    const products = await this.find({ communityId }, context);
    return this.entitlements.hasAny(
      products.map(({ productId }) => productId),
      emailHash,
    );
  }

  private find(where: Where, { consistency }: Context): Promise<readonly CommunityProduct[]> {
    return this.reader.find(communityProducts, where, MAX_PRODUCTS, consistency);
  }
}
