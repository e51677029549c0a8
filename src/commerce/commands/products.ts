import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { product, type KnownProduct } from '../domain/product.js';

/** Products as their own streams tell them now: what was approved or denied a moment ago already counts. */
@Injectable()
export class Products {
  constructor(private readonly streams: Streams) {}

  async known(id: string): Promise<KnownProduct> {
    const found = await this.streams.state(product, id);
    if (found.status === 'unknown') throw Rejection.notFound();
    return found;
  }

  /** The caller's own. */
  async own(id: string, { business, mode }: Context): Promise<KnownProduct> {
    const found = await this.known(id);
    if (found.business !== business || found.mode !== mode) throw Rejection.notFound();
    return found;
  }

  /** The product that a body names. */
  async named(id: string, { business, mode }: Context): Promise<KnownProduct> {
    const found = await this.streams.state(product, id);
    if (found.status === 'unknown' || found.business !== business || found.mode !== mode) throw Rejection.unknownReference('product_id');
    return found;
  }
}
