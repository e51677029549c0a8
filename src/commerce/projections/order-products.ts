import { declareLists, type Owned } from '../../kernel/ownership.js';
import type { EventOf, Projection } from '../../kernel/projection.js';
import { type Reference, toReference } from '../../kernel/reference.js';
import type { OrderEvent } from '../domain/order.js';
import { BUYER_PATH, type BuyerDocument, toBuyerDocument, toResourceValues } from './resources.js';

/** An order under one of its products: no index of a store covers the members of a list. */
export interface OrderProductDocument extends Owned {
  readonly id: string;
  readonly created_at: string;
  readonly status: 'pending' | 'completed';
  readonly order: Reference<'order'>;
  readonly product: Reference<'product'>;
  readonly buyer: BuyerDocument;
}

type OrderProductEvent = Extract<OrderEvent, { type: 'OrderPlaced' | 'OrderCompleted' }>;

/** Orders that older versions completed stay pending here, because their last event does not name the products. */
export const orderProducts: Projection<OrderProductDocument, OrderProductEvent> = {
  name: 'orderProducts',
  version: 2,
  id: ({ data }) => listProductIds(data).map((productId) => toDocumentId(data.orderId, productId)),
  ...declareLists([['product.id', 'status']], [[BUYER_PATH]]),
  on: {
    OrderPlaced: (_, event, id) => toOrderProductDocument(event, id),
    OrderCompleted: (found) => found && { ...found, status: 'completed' },
  },
};

function listProductIds(data: OrderProductEvent['data']): readonly string[] {
  if ('lines' in data) return [...new Set(data.lines.map(({ productId }) => productId))];
  return data.productIds ?? [];
}

function toDocumentId(orderId: string, productId: string): string {
  return `${orderId}:${productId}`;
}

function toOrderProductDocument(event: EventOf<OrderProductEvent, 'OrderPlaced'>, id: string): OrderProductDocument {
  const { orderId, buyer } = event.data;
  const { created_at, _business, _mode } = toResourceValues('order', orderId, event);
  const productId = id.slice(id.indexOf(':') + 1);
  return {
    id,
    created_at,
    status: 'pending',
    order: toReference('order', orderId),
    product: toReference('product', productId),
    buyer: toBuyerDocument(buyer),
    _business,
    _mode,
  };
}
