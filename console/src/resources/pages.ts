/** The page of each kind of resource that has one: the value of `object` → the path of its list. */
const PAGES: Readonly<Record<string, string>> = {
  order: '/commerce/orders',
  payment: '/commerce/payments',
  dispute: '/commerce/disputes',
  refund: '/commerce/refunds',
  invoice: '/commerce/invoices',
  product: '/commerce/products',
  offer: '/commerce/offers',
  subscription: '/commerce/subscriptions',
  buyer: '/commerce/buyers',
  cart: '/commerce/carts',
  community: '/community/communities',
  post: '/community/posts',
  channel: '/community/channels',
  challenge: '/community/challenges',
  invite: '/community/invites',
  webhook_endpoint: '/webhooks/endpoints',
  webhook_delivery: '/webhooks/deliveries',
  event: '/webhooks/events',
  replay_job: '/webhooks/replay-jobs',
  audit_export: '/history/exports',
  audit_event: '/history/events',
};

export function findPage(object: string, id: string): string | null {
  const list = PAGES[object];
  return list === undefined ? null : `${list}/${encodeURIComponent(id)}`;
}
