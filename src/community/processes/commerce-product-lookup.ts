import { Injectable } from '@nestjs/common';
import { productDecider } from '../../commerce/domain/product.js';
import { Streams } from '../../engine/streams/streams.js';
import { ProductLookup } from '../product-lookup.js';

@Injectable()
export class CommerceProductLookup extends ProductLookup {
  constructor(private readonly streams: Streams) {
    super();
  }

  async isLiveProductOf(productId: string, businessId: string): Promise<boolean> {
    const known = await this.streams.loadState(productDecider, productId);
    return known.status !== 'unknown' && known.business === businessId && known.mode === 'live';
  }
}
