import { id, money, status, text, time } from '../resources/columns';
import type { Resource } from '../resources/resource';
import { BUYER, buyer, CREATED } from './sales-columns';

const REFUND_REASONS = ['duplicate', 'fraudulent', 'requested_by_customer', 'service_issue', 'other'];

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
