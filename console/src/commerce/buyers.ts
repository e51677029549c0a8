import { id, text } from '../resources/columns';
import type { Resource } from '../resources/resource';

export const buyers: Resource = {
  name: 'buyers',
  title: 'Buyers',
  listPath: '/v1/commerce/buyers',
  itemPath: '/v1/commerce/buyers/{id}',
  pagination: 'page',
  hasHistory: false,
  columns: [
    id(),
    text('email', 'E-mail'),
    text('name'),
    text('orders_count', 'Orders'),
    text('subscriptions_count', 'Subscriptions'),
  ],
  filters: [{ name: 'email', label: 'E-mail' }],
  actions: [
    {
      label: 'Erase personal data',
      method: 'DELETE',
      path: '/v1/commerce/buyers/{id}/personal-data',
      isShown: (_, { kind }) => kind === 'token',
      destroys: ({ id: buyerId }) => ({
        effect:
          'The e-mail address and the name of this buyer become unreadable everywhere, for ever. Open carts and offers end. Numbers and amounts of invoices stay.',
        name: String(buyerId),
      }),
    },
  ],
  whenEmpty: 'A buyer appears here with the first cart, offer or order that names the address.',
};
