import { id, money, status, time } from '../resources/columns';
import type { Resource } from '../resources/resource';
import { buyer } from './sales-columns';

export const offers: Resource = {
  name: 'offers',
  title: 'Offers',
  listPath: '/v1/commerce/offers',
  itemPath: '/v1/commerce/offers/{id}',
  pagination: 'page',
  columns: [
    id(),
    status(),
    buyer,
    money('amount_cents', 'Amount'),
    time('sent_at', 'Sent'),
    time('expires_at', 'Expires'),
  ],
  filters: [
    {
      name: 'status',
      label: 'Status',
      kind: 'several',
      options: ['draft', 'sent', 'accepted', 'cancelled', 'expired'],
    },
  ],
  creations: [
    {
      label: 'New offer',
      method: 'POST',
      path: '/v1/commerce/offers',
      fields: [
        { name: 'product_id', label: 'Product id', required: true },
        { name: 'plan_id', label: 'Plan id' },
        { name: 'buyer.email', label: 'Buyer’s e-mail', required: true },
        { name: 'buyer.name', label: 'Buyer’s name' },
        { name: 'amount_cents', label: 'Amount in minor units', kind: 'cents', required: true },
        { name: 'currency', label: 'Currency' },
        { name: 'message', label: 'Message', kind: 'long_text' },
        { name: 'expires_at', label: 'Expires', kind: 'time' },
        { name: 'send', label: 'Send it now', kind: 'boolean' },
      ],
    },
  ],
  actions: [
    { label: 'Send', method: 'POST', path: '/v1/commerce/offers/{id}/send', isShown: ({ status: s }) => s === 'draft' },
    {
      label: 'Send again',
      method: 'POST',
      path: '/v1/commerce/offers/{id}/resend',
      isShown: ({ status: s }) => s === 'sent',
    },
    {
      label: 'Cancel offer',
      method: 'POST',
      path: '/v1/commerce/offers/{id}/cancel',
      isShown: ({ status: s }) => s === 'draft' || s === 'sent',
      destroys: ({ id: offerId }) => ({ effect: 'The buyer can no longer accept this offer.', name: String(offerId) }),
    },
  ],
  whenEmpty: 'An offer is a price for one buyer, sent by mail.',
};
