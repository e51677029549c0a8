import { Injectable } from '@nestjs/common';
import { OwnedStreams } from '../../engine/streams/owned-streams.js';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { type KnownProduct, productDecider } from '../domain/product.js';

/** Reads products from their streams, so that a review counts at once. */
@Injectable()
export class Products {
  constructor(
    private readonly streams: Streams,
    private readonly owned: OwnedStreams,
  ) {}

  async requireProduct(id: string): Promise<KnownProduct> {
    const found = await this.streams.loadState(productDecider, id);
    if (found.status === 'unknown') throw Rejection.notFound();
    return found;
  }

  /** Returns the product that a request body refers to. */
  async requireReferenced(id: string, context: Context): Promise<KnownProduct> {
    const found = await this.owned.find(productDecider, id, context);
    if (found === null) throw Rejection.unknownReference('product_id');
    return found;
  }
}
