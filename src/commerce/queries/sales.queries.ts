import { IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { ListPage, type Paging } from '../../engine/read-models/queries.js';
import type { ResponsePage } from '../../engine/read-models/read-model-reader.js';
import type { Context } from '../../kernel/context.js';
import type { Owned } from '../../kernel/ownership.js';
import type { Projection } from '../../kernel/projection.js';
import type { Filter, PathOf, Where, WhereOf } from '../../kernel/read-models.js';
import { BUYER_PATH } from '../projections/resources.js';
import { BuyerFilter } from './buyer-filter.js';

interface DateRange {
  readonly from?: string;
  readonly to?: string;
}

/** The filters that all lists about sales have. */
export interface SaleFilters {
  readonly created: DateRange | null;
  readonly buyerEmail: string | null;
}

/**
 * Returns a page of documents about the sales of the caller's business, newest first. @param where the other filters
 * @param buyerPath the path of the hash of the buyer's address
 */
export class ListSales<D extends Owned, W extends Where = Where> extends Query<ResponsePage<D>> {
  constructor(
    readonly projection: Projection<D>,
    readonly context: Context,
    readonly paging: Paging,
    readonly filters: SaleFilters,
    readonly where?: Filter<D, W>,
    readonly buyerPath: PathOf<D> | typeof BUYER_PATH = BUYER_PATH,
  ) {
    super();
  }
}

@QueryHandler(ListSales)
export class ListSalesHandler implements IQueryHandler<ListSales<Owned>> {
  constructor(
    private readonly buyerFilter: BuyerFilter,
    private readonly queries: QueryBus,
  ) {}

  async execute({
    projection,
    context,
    paging,
    filters,
    where,
    buyerPath,
  }: ListSales<Owned>): Promise<ResponsePage<Owned>> {
    const { created, buyerEmail } = filters;
    const filter: WhereOf<Owned> = {
      ...where,
      ...(created !== null && { created_at: created }),
      ...(await this.buyerFilter.create(buyerPath, buyerEmail, context)),
    };
    return this.queries.execute(new ListPage(projection, context, paging, filter));
  }
}
