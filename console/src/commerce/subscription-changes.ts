import { id, status, text, time } from '../resources/columns';
import type { Resource } from '../resources/resource';

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
