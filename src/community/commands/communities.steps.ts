import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { type CommunityCommand, communityDecider } from '../domain/community.js';
import { ProductLookup } from '../product-lookup.js';
import { communities, type CommunityDocument } from '../projections/communities.js';

/** Changes communities. Members have streams of their own, so their number comes from the read model. */
@Injectable()
export class Communities {
  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly products: ProductLookup,
  ) {}

  async change(id: string, command: CommunityCommand, context: Context): Promise<CommunityDocument> {
    const outcome = await this.streams.execute(communityDecider, id, command, context);
    const changed = await outcome.render(communities, id);
    const counted = await this.reader.get(communities, id, context.consistency);
    return { ...changed, member_count: counted?.member_count ?? changed.member_count };
  }

  /** Requires a live product of the community's business; null is allowed. @throws Rejection validation_failed */
  async requireProduct(productId: string | null, businessId: string | null): Promise<void> {
    if (productId === null) return;
    if (businessId === null || !(await this.products.isLiveProductOf(productId, businessId)))
      throw Rejection.unknownReference('product_id');
  }
}
