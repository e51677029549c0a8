import { id, money, status, time, yesNo } from '../resources/columns';
import type { Action, Resource } from '../resources/resource';
import { subscriptionChanges } from './subscription-changes';

const hasStatus =
  (...wanted: readonly string[]): NonNullable<Action['isShown']> =>
  ({ status: current }) =>
    wanted.includes(String(current));
const PATH = '/v1/commerce/subscriptions/{id}';

const actions: readonly Action[] = [
  {
    label: 'Change plan',
    method: 'POST',
    path: `${PATH}/plan`,
    isShown: hasStatus('active'),
    fields: [
      { name: 'plan_id', label: 'Plan id', required: true, help: 'Takes effect at the next renewal that bills.' },
    ],
  },
  {
    label: 'Change price',
    method: 'POST',
    path: `${PATH}/price`,
    isShown: hasStatus('active'),
    fields: [
      {
        name: 'amount_cents',
        label: 'Amount in minor units',
        kind: 'cents',
        required: true,
        start: (item) => item['amount_cents'],
      },
    ],
  },
  {
    label: 'Withdraw pending change',
    method: 'DELETE',
    path: `${PATH}/pending-change`,
    isShown: ({ pending_change: pending }) => pending !== null,
  },
  {
    label: 'Pause',
    method: 'POST',
    path: `${PATH}/pause`,
    isShown: hasStatus('active'),
    fields: [
      { name: 'resumes_at', label: 'Resumes', kind: 'time' },
      { name: 'reason', label: 'Reason', kind: 'long_text' },
    ],
  },
  { label: 'Resume', method: 'POST', path: `${PATH}/resume`, isShown: hasStatus('paused') },
  {
    label: 'Change payment method',
    method: 'PUT',
    path: `${PATH}/payment-method`,
    isShown: hasStatus('active', 'past_due', 'paused'),
    fields: [{ name: 'token', label: 'Token of the payment method', required: true }],
  },
  {
    label: 'Keep subscription',
    method: 'POST',
    path: `${PATH}/uncancel`,
    isShown: (item, context) => hasStatus('active', 'paused')(item, context) && item['cancel_at'] !== null,
  },
  {
    label: 'Cancel subscription',
    method: 'POST',
    path: `${PATH}/cancel`,
    isShown: hasStatus('active', 'past_due', 'paused'),
    destroys: (item) => ({
      effect: 'It ends with the paid period, or at once with the mode “immediately”. An open invoice becomes void.',
      name: String(item['id']),
    }),
    fields: [
      {
        name: 'mode',
        label: 'Mode',
        kind: 'choice',
        options: ['at_period_end', 'immediately'],
        start: () => 'at_period_end',
      },
      { name: 'reason', label: 'Reason', kind: 'long_text' },
    ],
  },
];

export const subscriptions: Resource = {
  name: 'subscriptions',
  title: 'Subscriptions',
  listPath: '/v1/commerce/subscriptions',
  itemPath: PATH,
  pagination: 'page',
  columns: [
    id(),
    status(),
    money('amount_cents', 'Amount'),
    time('next_billing_at', 'Next billing'),
    yesNo('cancel_at', 'Cancelling'),
    time(),
  ],
  filters: [
    { name: 'status', label: 'Status', kind: 'several', options: ['active', 'past_due', 'paused', 'cancelled'] },
    { name: 'product_id', label: 'Product id' },
    { name: 'plan_id', label: 'Plan id' },
    { name: 'cancelling', label: 'Cancelling', options: ['true', 'false'] },
    { name: 'buyer_email', label: 'Buyer’s e-mail' },
    { name: 'created_from', label: 'Created from', kind: 'date' },
    { name: 'created_to', label: 'Created to', kind: 'date' },
  ],
  actions,
  children: [subscriptionChanges],
  whenEmpty: 'A subscription starts when a buyer checks out a cart with a subscription plan.',
};
