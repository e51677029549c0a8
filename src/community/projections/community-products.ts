import type { EventOf, Projection } from '../../kernel/projection.js';
import type { CommunityEvent } from '../domain/community.js';

type ProductEvent = Extract<CommunityEvent, { type: 'CommunityCreated' | 'CommunityEdited' }>;

/** A product that gives, or once gave, access to a community. */
export interface CommunityProduct {
  readonly id: string;
  readonly communityId: string;
  readonly productId: string;
  readonly created_at: string;
}

/** The products of each community, with the earlier ones: their buyers are still members. */
export const communityProducts: Projection<CommunityProduct, ProductEvent> = {
  name: 'communityProducts',
  version: 1,
  id: (event) => {
    const productId = readProduct(event);
    return productId && `${event.data.communityId}.${productId}`;
  },
  indexes: [
    ['productId', 'created_at'],
    ['communityId', 'created_at'],
  ],
  on: { CommunityCreated: toCommunityProduct, CommunityEdited: toCommunityProduct },
};

function toCommunityProduct(
  found: CommunityProduct | null,
  event: EventOf<ProductEvent, ProductEvent['type']>,
  id: string,
): CommunityProduct {
  const { communityId } = event.data;
  return found ?? { id, communityId, productId: id.slice(communityId.length + 1), created_at: event.meta.at };
}

function readProduct({ data }: Pick<ProductEvent, 'data'>): string | null {
  return ('changes' in data ? data.changes.productId : data.productId) ?? null;
}
