import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { createEventContext } from '../../kernel/context.js';
import type { RecordedOf } from '../../kernel/event.js';
import { Members } from '../commands/members.steps.js';
import { CommunityAccess } from '../community-access.js';
import { entitlementDecider, type EntitlementEvent, entitlementIdOf } from '../domain/entitlement.js';
import { communities } from '../projections/communities.js';

/** More communities of one product are not expected. */
const MAX_COMMUNITIES = 1_000;

/** Removes the members who joined by a purchase when the purchase has ended. */
@Injectable()
export class EndPurchasedMemberships implements Reactor<EntitlementEvent> {
  readonly name = 'end-purchased-memberships';
  readonly types = ['EntitlementEnded'] as const;
  readonly needs = [communities];

  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly access: CommunityAccess,
    private readonly members: Members,
  ) {}

  async react(event: RecordedOf<EntitlementEvent>): Promise<void> {
    const { productId, emailHash } = event.data;
    const stream = entitlementIdOf(productId, emailHash);
    if ((await this.streams.loadState(entitlementDecider, stream)).sources.length > 0) return;

    const context = createEventContext(event, this.name);
    await this.reader.requirePosition(communities, event.position);
    const where = { 'product.id': productId };
    const found = await this.reader.find(communities, where, MAX_COMMUNITIES, context.consistency);
    for (const { id } of found) {
      const member = await this.access.findMember(id, emailHash);
      if (member.status === 'unknown') continue;
      await this.members.change(member.id, { type: 'EndPurchase' }, createEventContext(event, this.name, id));
    }
  }
}
