import { Injectable } from '@nestjs/common';
import { product } from '../../commerce/domain/product.js';
import { Streams } from '../../engine/streams.js';

/** What the community asks of commerce. */
@Injectable()
export class Products {
  constructor(private readonly streams: Streams) {}

  /** Whether a live product is the business's own. */
  async belongs(productId: string, businessId: string): Promise<boolean> {
    const known = await this.streams.state(product, productId);
    return known.status !== 'unknown' && known.business === businessId && known.mode === 'live';
  }
}
