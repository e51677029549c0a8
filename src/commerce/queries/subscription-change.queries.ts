import { IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { ListPage, type Paging, Retrieve } from '../../engine/read-models/queries.js';
import type { ResponsePage } from '../../engine/read-models/read-model-reader.js';
import { type SubscriptionChangeDocument, subscriptionChanges } from '../projections/subscription-changes.js';
import { subscriptions } from '../projections/subscriptions.js';

/** Returns a page of the changes of one subscription, newest first. */
export class ListSubscriptionChanges extends ContextQuery<
  { subscriptionId: string; paging: Paging },
  ResponsePage<SubscriptionChangeDocument>
> {}

@QueryHandler(ListSubscriptionChanges)
export class ListSubscriptionChangesHandler implements IQueryHandler<ListSubscriptionChanges> {
  constructor(private readonly queries: QueryBus) {}

  async execute({ context, params }: ListSubscriptionChanges): Promise<ResponsePage<SubscriptionChangeDocument>> {
    const { subscriptionId, paging } = params;
    await this.queries.execute(new Retrieve(subscriptions, context, subscriptionId));
    return this.queries.execute(new ListPage(subscriptionChanges, context, paging, { _subscription: subscriptionId }));
  }
}
