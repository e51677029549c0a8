import { id, money, reference, status, text, time, yesNo } from '../resources/columns';
import type { Filter, Resource } from '../resources/resource';

const CREATED: readonly Filter[] = [
  { name: 'created_from', label: 'Created from', kind: 'date' },
  { name: 'created_to', label: 'Created to', kind: 'date' },
];
const BUYER: Filter = { name: 'buyer_email', label: 'Buyer’s e-mail' };
const REFUND_REASONS = ['duplicate', 'fraudulent', 'requested_by_customer', 'service_issue', 'other'];

const buyer = text('buyer.email', 'Buyer');

export const orders: Resource = {
  name: 'orders',
  title: 'Orders',
  listPath: '/v1/commerce/orders',
  itemPath: '/v1/commerce/orders/{id}',
  pagination: 'page',
  columns: [id(), status(), buyer, money('total_amount_cents', 'Total'), text('refund_status', 'Refunds'), time()],
  filters: [{ name: 'product_id', label: 'Product id' }, BUYER, ...CREATED],
  whenEmpty: 'An order appears here when a buyer checks out a cart. Make a product first, then a cart.',
};

export const payments: Resource = {
  name: 'payments',
  title: 'Payments',
  listPath: '/v1/commerce/payments',
  itemPath: '/v1/commerce/payments/{id}',
  pagination: 'page',
  columns: [
    id(),
    status(),
    buyer,
    money('amount_cents', 'Amount'),
    money('refunded_amount_cents', 'Refunded'),
    text('kind'),
    time(),
  ],
  filters: [
    BUYER,
    ...CREATED,
    { name: 'cash_flow_from', label: 'Funds available from', kind: 'date' },
    { name: 'cash_flow_to', label: 'Funds available to', kind: 'date' },
  ],
  actions: [
    {
      label: 'Refund',
      method: 'POST',
      path: '/v1/commerce/payments/{id}/refunds',
      isShown: ({ refundable_amount_cents: rest }) => typeof rest === 'number' && rest > 0,
      fields: [
        {
          name: 'amount_cents',
          label: 'Amount in minor units',
          kind: 'cents',
          help: 'Empty: all that remains.',
          start: ({ refundable_amount_cents: rest }) => rest,
        },
        { name: 'reason', label: 'Reason', kind: 'choice', options: REFUND_REASONS },
        { name: 'note', label: 'Note', kind: 'long_text' },
      ],
    },
  ],
  whenEmpty: 'A payment appears here when a checkout or a renewal is charged.',
};

export const refunds: Resource = {
  name: 'refunds',
  title: 'Refunds',
  listPath: '/v1/commerce/refunds',
  itemPath: '/v1/commerce/refunds/{id}',
  pagination: 'page',
  columns: [id(), status(), money('amount_cents', 'Amount'), reference('payment'), text('reason'), time()],
  filters: [
    { name: 'status', label: 'Status', kind: 'several', options: ['pending', 'succeeded', 'failed'] },
    { name: 'payment_id', label: 'Payment id' },
    { name: 'order_id', label: 'Order id' },
    BUYER,
    ...CREATED,
  ],
  whenEmpty: 'A refund is made on the page of its payment.',
};

export const invoices: Resource = {
  name: 'invoices',
  title: 'Invoices',
  listPath: '/v1/commerce/invoices',
  itemPath: '/v1/commerce/invoices/{id}',
  pagination: 'page',
  columns: [
    text('number'),
    status(),
    buyer,
    money('total_amount_cents', 'Total'),
    text('kind'),
    time('issued_at', 'Issued'),
  ],
  filters: [
    { name: 'status', label: 'Status', kind: 'several', options: ['open', 'paid', 'void', 'uncollectible'] },
    { name: 'kind', label: 'Kind', kind: 'several', options: ['sale', 'renewal'] },
    { name: 'order_id', label: 'Order id' },
    { name: 'subscription_id', label: 'Subscription id' },
    BUYER,
    ...CREATED,
  ],
  whenEmpty: 'Each paid order and each renewal has an invoice.',
};

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
    text('order_count', 'Orders'),
    text('subscription_count', 'Subscriptions'),
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
          'The e-mail address and the name of this buyer become unreadable everywhere, for ever. Numbers and amounts of invoices stay.',
        name: String(buyerId),
      }),
    },
  ],
  whenEmpty: 'A buyer appears here with the first completed order.',
};

export const discounts: Resource = {
  name: 'discounts',
  title: 'Discounts',
  listPath: '/v1/commerce/discounts',
  pagination: 'page',
  columns: [text('code'), text('percent_off', 'Percent off'), text('duration'), status(), text('redemptions'), time()],
  creations: [
    {
      label: 'New discount',
      method: 'POST',
      path: '/v1/commerce/discounts',
      fields: [
        { name: 'code', label: 'Code', required: true, help: '3 to 40 characters' },
        { name: 'percent_off', label: 'Percent off', kind: 'integer', required: true },
        { name: 'duration', label: 'Duration', kind: 'choice', options: ['once', 'repeating', 'forever'] },
        { name: 'months', label: 'Months', kind: 'integer', help: 'Only for a repeating discount' },
      ],
    },
  ],
  actions: [
    {
      label: 'Delete',
      method: 'DELETE',
      path: '/v1/commerce/discounts/{id}',
      isShown: ({ status: current }) => current === 'active',
      destroys: ({ code }) => ({ effect: 'New carts can no longer use this code.', name: String(code) }),
    },
  ],
  whenEmpty: 'A discount code takes a percentage off a cart.',
};

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

export const payouts: Resource = {
  name: 'payouts',
  title: 'Payouts',
  listPath: '/v1/commerce/payouts',
  pagination: 'page',
  columns: [id(), status(), money('amount_cents', 'Amount'), time()],
  creations: [
    {
      label: 'New payout',
      method: 'POST',
      path: '/v1/commerce/payouts',
      fields: [
        { name: 'amount_cents', label: 'Amount in minor units', kind: 'cents', required: true },
        { name: 'currency', label: 'Currency', required: true },
      ],
    },
  ],
  whenEmpty: 'A payout takes money out of the balance.',
};

export const subscriptionChanges: Resource = {
  name: 'changes',
  title: 'Plan changes',
  listPath: '/v1/commerce/subscriptions/{id}/changes',
  pagination: 'page',
  columns: [
    id(),
    text('type'),
    status(),
    text('from.amount_cents', 'From, in minor units'),
    text('to.amount_cents', 'To, in minor units'),
    time('effective_at', 'Effective'),
    time('effective_confirmed_at', 'Confirmed'),
  ],
  whenEmpty: 'The plan and the price of this subscription have not been changed.',
};

export const cancelling = yesNo('cancel_at', 'Cancelling');
