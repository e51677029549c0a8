import { Injectable } from '@nestjs/common';
import { type CountedProjection, CountedStreams } from '../../engine/read-models/counted-streams.js';
import type { Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { type CommunityCommand, communityDecider } from '../domain/community.js';
import { ProductLookup } from '../product-lookup.js';
import { communities, type CommunityDocument } from '../projections/communities.js';

const COUNTED: CountedProjection<CommunityDocument> = { projection: communities, counts: ['member_count'] };

@Injectable()
export class Communities {
  constructor(
    private readonly counted: CountedStreams,
    private readonly products: ProductLookup,
  ) {}

  change(id: string, command: CommunityCommand, context: Context): Promise<CommunityDocument> {
    return this.counted.change(communityDecider, COUNTED, id, command, context);
  }

  /** Requires a live product of the community's business; null is allowed. @throws Rejection validation_failed */
  async requireProduct(productId: string | null, businessId: string | null): Promise<void> {
    if (productId === null) return;
    if (businessId === null || !(await this.products.isLiveProductOf(productId, businessId)))
      throw Rejection.unknownReference('product_id');
  }
}
