import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Config } from '../../config/config.js';
import type { Reactor } from '../../engine/registry.js';
import { createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';
import { ReviewProduct } from '../commands/product.commands.js';
import type { ProductEvent } from '../domain/product-events.js';

type ReviewRequested = Extract<ProductEvent, { type: 'ProductReviewRequested' }>;

/** Approves products automatically, with `PRODUCT_REVIEW=auto`. */
@Injectable()
export class ReviewProducts implements Reactor<ReviewRequested> {
  readonly name = 'review-products';
  readonly types = typesOf<ReviewRequested>({ ProductReviewRequested: true });

  constructor(
    private readonly config: Config,
    private readonly commands: CommandBus,
  ) {}

  async react(requested: RecordedOf<ReviewRequested>): Promise<void> {
    if (this.config.productReview === 'manual') return;
    const approval = { id: requested.data.productId, review: { type: 'ApproveProduct' } as const };
    try {
      await this.commands.execute(new ReviewProduct(createEventContext(requested, this.name), approval));
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
    }
  }
}
