import { IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { ListPage, type Paging } from '../../engine/read-models/queries.js';
import type { ResponsePage } from '../../engine/read-models/read-model-reader.js';
import { type BuyerDocument, buyers } from '../projections/buyers.js';
import { BuyerFilter } from './buyer-filter.js';

export class ListBuyers extends ContextQuery<{ paging: Paging; email: string | null }, ResponsePage<BuyerDocument>> {}

@QueryHandler(ListBuyers)
export class ListBuyersHandler implements IQueryHandler<ListBuyers> {
  constructor(
    private readonly buyerFilter: BuyerFilter,
    private readonly queries: QueryBus,
  ) {}

  async execute({ context, params: { paging, email } }: ListBuyers): Promise<ResponsePage<BuyerDocument>> {
    const filter = await this.buyerFilter.create('id', email, context);
    return this.queries.execute(new ListPage(buyers, context, paging, filter));
  }
}
