import { Injectable } from '@nestjs/common';
import { product } from '../../commerce/domain/product.js';
import { Streams } from '../../engine/streams/streams.js';
import { Products } from '../products.js';

@Injectable()
export class CommerceProducts extends Products {
  constructor(private readonly streams: Streams) {
    super();
  }

  async belongs(productId: string, businessId: string): Promise<boolean> {
    const known = await this.streams.state(product, productId);
    return known.status !== 'unknown' && known.business === businessId && known.mode === 'live';
  }
}
