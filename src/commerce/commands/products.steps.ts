import { Injectable } from '@nestjs/common';
import { OwnedStreams } from '../../engine/streams/owned-streams.js';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { paymentPlanDecider, type Plan } from '../domain/payment-plan.js';
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

  /** Returns the plan that a request body refers to. */
  async requireReferencedPlan(
    planId: string,
    context: Context,
  ): Promise<{ readonly productId: string; readonly plan: Plan }> {
    const registered = await this.streams.loadState(paymentPlanDecider, planId);
    const product =
      registered.status === 'unknown' ? null : await this.owned.find(productDecider, registered.productId, context);
    const plan = product?.plans.find((candidate) => candidate.planId === planId);
    if (product === null || plan === undefined) throw Rejection.unknownReference('plan_id');
    return { productId: product.id, plan };
  }

  async listAvailablePlanIds(productId: string): Promise<readonly string[]> {
    const { plans } = await this.requireProduct(productId);
    return plans.filter(({ status }) => status === 'active').map(({ planId }) => planId);
  }
}
