import type { Session } from '../session/session';

interface PageLink {
  readonly path: string;
  readonly title: string;
  readonly isShown?: (session: Session) => boolean;
}

interface Area {
  readonly title: string;
  readonly pages: readonly PageLink[];
}

const isLive = ({ mode }: Session) => mode === 'live';
const isTest = ({ mode }: Session) => mode === 'test';
const mayWrite = ({ access }: Session) => access === 'full';

/** The navigation of the console on the API's port. What the credential may not see is not shown. */
export const API_AREAS: readonly Area[] = [
  {
    title: 'Webhooks',
    pages: [
      { path: '/webhooks/endpoints', title: 'Endpoints' },
      { path: '/webhooks/deliveries', title: 'Deliveries' },
      { path: '/webhooks/replay-jobs', title: 'Replay jobs' },
      { path: '/webhooks/events', title: 'Events' },
      { path: '/webhooks/live', title: 'Live events' },
      { path: '/webhooks/event-types', title: 'Event types' },
      { path: '/webhooks/signature', title: 'Check a signature' },
    ],
  },
  {
    title: 'Commerce',
    pages: [
      { path: '/commerce/orders', title: 'Orders' },
      { path: '/commerce/payments', title: 'Payments' },
      { path: '/commerce/refunds', title: 'Refunds' },
      { path: '/commerce/disputes', title: 'Disputes' },
      { path: '/commerce/invoices', title: 'Invoices' },
      { path: '/commerce/subscriptions', title: 'Subscriptions' },
      { path: '/commerce/products', title: 'Products' },
      { path: '/commerce/product-reviews', title: 'Product reviews', isShown: ({ kind }) => kind === 'token' },
      { path: '/commerce/offers', title: 'Offers' },
      { path: '/commerce/carts', title: 'Carts', isShown: mayWrite },
      { path: '/commerce/discounts', title: 'Discounts' },
      { path: '/commerce/buyers', title: 'Buyers' },
      { path: '/commerce/balance', title: 'Balance' },
      { path: '/commerce/test-clock', title: 'Test clock', isShown: isTest },
    ],
  },
  {
    title: 'Community',
    pages: [{ path: '/community/communities', title: 'Communities', isShown: isLive }],
  },
  {
    title: 'History',
    pages: [
      { path: '/history/events', title: 'Change history' },
      { path: '/history/exports', title: 'Exports' },
      { path: '/history/chain', title: 'Hash chain' },
      { path: '/history/verify', title: 'Verify an export' },
    ],
  },
];

export const OPERATOR_AREAS: readonly Area[] = [
  {
    title: 'Operators',
    pages: [
      { path: '/operators/health', title: 'Health' },
      { path: '/operators/projections', title: 'Projections' },
      { path: '/operators/dead-letters', title: 'Dead letters' },
      { path: '/operators/jobs', title: 'Jobs' },
    ],
  },
];
