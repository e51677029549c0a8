import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Config } from '../../config.js';
import type { Reactor } from '../../engine/registry.js';
import { createEventContext } from '../../kernel/context.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';
import { ApproveProduct } from '../commands/review.commands.js';

/** Approves products automatically, with `PRODUCT_REVIEW=auto`. */
@Injectable()
export class ReviewProducts implements Reactor {
  readonly name = 'review-products';
  readonly types = ['ProductReviewRequested'];

  constructor(
    private readonly config: Config,
    private readonly commands: CommandBus,
  ) {}

  async react(requested: RecordedEvent): Promise<void> {
    if (this.config.productReview === 'manual') return;
    const { productId } = requested.data as { readonly productId: string };
    try {
      await this.commands.execute(new ApproveProduct(createEventContext(requested, this.name), productId));
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
    }
  }
}
