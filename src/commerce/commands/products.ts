import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { product, type KnownProduct } from '../domain/product.js';

/** Reads products from their streams, so that a review counts at once. */
@Injectable()
export class Products {
  constructor(private readonly streams: Streams) {}

  async known(id: string): Promise<KnownProduct> {
    const found = await this.streams.state(product, id);
    if (found.status === 'unknown') throw Rejection.notFound();
    return found;
  }

  /** Returns a product of the caller's business and mode. */
  async own(id: string, { business, mode }: Context): Promise<KnownProduct> {
    const found = await this.known(id);
    if (found.business !== business || found.mode !== mode) throw Rejection.notFound();
    return found;
  }

  /** Returns the product that a request body refers to. */
  async named(id: string, { business, mode }: Context): Promise<KnownProduct> {
    const found = await this.streams.state(product, id);
    if (found.status === 'unknown' || found.business !== business || found.mode !== mode) throw Rejection.unknownReference('product_id');
    return found;
  }
}
