import { Injectable } from '@nestjs/common';
import { productDecider } from '../../commerce/domain/product.js';
import { Streams } from '../../engine/streams/streams.js';
import { ownState } from '../../kernel/ownership.js';
import { ProductLookup } from '../product-lookup.js';

@Injectable()
export class CommerceProductLookup extends ProductLookup {
  constructor(private readonly streams: Streams) {
    super();
  }

  async isLiveProductOf(productId: string, businessId: string): Promise<boolean> {
    const product = await this.streams.loadState(productDecider, productId);
    return ownState(productDecider, product, { business: businessId, mode: 'live' }) !== null;
  }
}
