import { IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { ReadModelReader, type ResponsePage } from '../../engine/read-models/read-model-reader.js';
import type { Context } from '../../kernel/context.js';
import { EventStore } from '../../kernel/event-store.js';
import { parseDocument } from '../../kernel/read-models.js';
import { orderProducts } from '../projections/order-products.js';
import { type OrderDocument, orders } from '../projections/orders.js';
import { ListSales, type SaleFilters } from './sales.queries.js';

const COMPLETED = { status: 'completed' };

interface OrderList {
  readonly paging: Paging;
  readonly filters: SaleFilters;
  /** Finds the orders with this product in a line. */
  readonly productId: string | null;
}

/** Returns a page of the completed orders of the caller's business, newest first. */
export class ListOrders extends ContextQuery<OrderList, ResponsePage<OrderDocument>> {}

@QueryHandler(ListOrders)
export class ListOrdersHandler implements IQueryHandler<ListOrders> {
  constructor(
    private readonly queries: QueryBus,
    private readonly reader: ReadModelReader,
    private readonly store: EventStore,
  ) {}

  async execute({ context, params: { paging, filters, productId } }: ListOrders): Promise<ResponsePage<OrderDocument>> {
    if (productId === null) return this.queries.execute(new ListSales(orders, context, paging, filters, COMPLETED));

    const where = { ...COMPLETED, 'product.id': productId };
    const { data, pagination } = await this.queries.execute(
      new ListSales(orderProducts, context, paging, filters, where),
    );
    return {
      data: await this.loadCompleted(
        data.map((line) => parseDocument(line).order.id),
        context,
      ),
      pagination,
    };
  }

  /** Waits for the orders that the other projection has completed earlier. */
  private async loadCompleted(ids: readonly string[], { consistency }: Context): Promise<OrderDocument[]> {
    const found = await this.findCompleted(ids);
    if (found.length === ids.length) return found;
    if (!(await this.reader.waitUntil(orders, await this.store.readHead()))) consistency.isStale = true;
    return this.findCompleted(ids);
  }

  private async findCompleted(ids: readonly string[]): Promise<OrderDocument[]> {
    const found = await this.reader.getExisting(orders, ids);
    return ids.flatMap((id) => found.get(id) ?? []).filter(({ status }) => status === 'completed');
  }
}
