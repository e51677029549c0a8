import * as cells from './cells.js';
import {
  type AccessFixture,
  CHALLENGE,
  createChannelBody,
  createDiscountBody,
  createIdempotencyKey,
  createTaskBody,
  LIBRARY_RESOURCE,
  PLAN,
} from './world.js';

/** The ids in a path, by parameter. */
export type Ids = Readonly<Record<string, string>>;

/** One operation: the outcome for each caller, and a valid request. */
export interface Row {
  /** The method and the path as registered. */
  readonly route: `${string} /${string}`;
  /** The status for authorized callers, or several when it depends on what was done before. */
  readonly ok: number | readonly number[];
  readonly cells: cells.Cells;
  /** Whether sessions name the business. */
  readonly naming?: true;
  /** Creates the resources that the path names, in the mode of the fixture. */
  readonly ids?: (world: AccessFixture) => Promise<Ids>;
  readonly body?: (world: AccessFixture) => object | Promise<object>;
  readonly headers?: () => Readonly<Record<string, string>>;
}

type CreateResource = (world: AccessFixture) => Promise<{ readonly id: string }>;

const id = (make: CreateResource) => async (world: AccessFixture) => ({ id: (await make(world)).id });
const anEndpoint = id((world) => world.endpoint());
const aDelivery = async (world: AccessFixture) => ({ delivery_id: (await world.delivery()).id as string });
const aReplayJob = id((world) => world.replayJob());
const anAuditExport = id((world) => world.auditExport());
const aPublicEvent = async (world: AccessFixture) => ({ id: (await world.delivery()).event_id as string });
const aCommunity = id((world) => world.community());
const aPost = async (world: AccessFixture) => ({ post_id: (await world.post()).id as string });
const aChannel = async (world: AccessFixture) => ({ channel_id: (await world.channel()).id as string });
const aMessage = async (world: AccessFixture) => ({ message_id: (await world.message()).id as string });
const aChallenge = async (world: AccessFixture) => ({ challenge_id: (await world.challenge()).id as string });
const aResource = async (world: AccessFixture) => ({ resource_id: (await world.libraryResource()).id as string });
const aMember = async (world: AccessFixture) => ({
  ...(await aCommunity(world)),
  user_id: await world.newMemberId(),
});
const aTask = async (world: AccessFixture) => ({
  ...(await aCommunity(world)),
  task_key: (await world.newTask()).key as string,
});
const anImport = async (world: AccessFixture) => ({
  ...(await aCommunity(world)),
  import_id: (await world.memberImport()).id as string,
});
const aNewCommunity = id((world) => world.newCommunity());
const anInvite = async (world: AccessFixture) => ({ invite_id: await world.newInviteId('guest') });
const anInviteOfTheOutsider = async (world: AccessFixture) => ({ invite_id: await world.newInviteId('outsider') });
const aComment = async (world: AccessFixture) => ({ comment_id: (await world.comment()).id as string });
const anAward = async (world: AccessFixture) => ({
  ...(await aCommunity(world)),
  award_id: (await world.newAward()).id as string,
});
const aDeletablePost = async (world: AccessFixture) => ({ post_id: (await world.newPost()).id as string });
const aProduct = id((world) => world.product());
const anApprovedProduct = id((world) => world.approvedProduct());
const aDiscount = id((world) => world.discount());
const anOffer = id((world) => world.offer());
const aSentOffer = id((world) => world.sentOffer());
const aCart = id((world) => world.cart());
const aFilledCart = id((world) => world.filledCart());
const anApiKey = id((world) => world.apiKey());
const aRefund = id((world) => world.refund());
const aDispute = id((world) => world.dispute());
const sold = (list: string) => id((world) => world.soldItem(list));

/** Creates a subscription, and sends one request to it. */
const aSubscription = (request?: readonly [path: string, body: object]) => id((world) => world.subscription(request));

async function aLine(world: AccessFixture) {
  const cart = await world.filledCart();
  return { id: cart.id as string, line_id: cart.lines[0].id as string };
}

async function aFile(kind: 'images' | 'attachments', key: string, world: AccessFixture) {
  const product = await world.productWithFile(kind);
  return { id: product.id as string, [key]: product[kind][0].id as string };
}

async function aPlan(world: AccessFixture) {
  const product = await world.product();
  return { id: product.id as string, plan_id: product.plans[0].id as string };
}

const publicRoutes: Row[] = [
  { route: 'GET /openapi.json', ok: 200, cells: cells.PUBLIC },
  { route: 'GET /asyncapi.json', ok: 200, cells: cells.PUBLIC },
  { route: 'GET /llms.txt', ok: 200, cells: cells.PUBLIC },
  { route: 'GET /llms-full.txt', ok: 200, cells: cells.PUBLIC },
  { route: 'GET /docs', ok: 200, cells: cells.PUBLIC },
  { route: 'GET /docs/assets/:name', ok: 200, cells: cells.PUBLIC, ids: async () => ({ name: 'scalar.js' }) },
  { route: 'GET /docs/guides', ok: 200, cells: cells.PUBLIC },
  { route: 'GET /docs/guides/:name', ok: 200, cells: cells.PUBLIC, ids: async () => ({ name: 'quick-start' }) },
  { route: 'GET /problems', ok: 200, cells: cells.PUBLIC },
  { route: 'GET /problems/:code', ok: 200, cells: cells.PUBLIC, ids: async () => ({ code: 'not_found' }) },
  { route: 'GET /', ok: 200, cells: cells.PUBLIC },
];

const identity: Row[] = [
  { route: 'GET /v1/auth/me', ok: 200, cells: cells.ANY_CREDENTIAL },
  { route: 'GET /v1/businesses', ok: 200, cells: cells.SESSION_LIST },
  { route: 'POST /v1/businesses', ok: 201, cells: cells.SESSION_CREATE, body: () => ({ name: 'Acme' }) },
  { route: 'GET /v1/auth/api-keys', ok: 200, cells: cells.KEY_LIST, naming: true },
  { route: 'GET /v1/auth/api-keys/:id', ok: 200, cells: cells.KEY_GET, naming: true, ids: anApiKey },
  {
    route: 'POST /v1/auth/api-keys',
    ok: 201,
    cells: cells.KEY_CREATE,
    naming: true,
    body: () => ({ name: 'Shop', mode: 'live', access: 'full' }),
  },
  {
    route: 'POST /v1/auth/api-keys/:id/rotations',
    ok: 201,
    cells: cells.KEY_WRITE,
    naming: true,
    ids: anApiKey,
    body: () => ({ overlap_seconds: 0 }),
  },
  { route: 'DELETE /v1/auth/api-keys/:id', ok: 200, cells: cells.KEY_WRITE, naming: true, ids: anApiKey },
];

const webhooks: Row[] = [
  list('webhooks/endpoints'),
  get('webhooks/endpoints/:id', anEndpoint),
  get('webhooks/endpoints/:id/stats', anEndpoint),
  get('webhooks/endpoints/:id/hourly-stats', anEndpoint),
  create('webhooks/endpoints', () => ({ url: 'https://example.com/', event_types: ['invoice.voided'] })),
  write('PATCH', 'webhooks/endpoints/:id', anEndpoint, { body: () => ({ description: 'Mine' }) }),
  write('DELETE', 'webhooks/endpoints/:id', anEndpoint),
  write('POST', 'webhooks/endpoints/:id/test-events', anEndpoint, { ok: 201, headers: createIdempotencyKey }),
  write('POST', 'webhooks/endpoints/:id/secret-rotations', anEndpoint, {
    ok: 201,
    cells: cells.SECRET_ROTATION,
    headers: createIdempotencyKey,
  }),
  list('webhooks/deliveries'),
  get('webhooks/deliveries/:delivery_id', aDelivery),
  get('webhooks/deliveries/:delivery_id/attempts', aDelivery),
  get('webhooks/deliveries/:delivery_id/request', aDelivery),
  get('webhooks/deliveries/:delivery_id/response', aDelivery),
  write('POST', 'webhooks/deliveries/:delivery_id/replay', aDelivery, { ok: 201, headers: createIdempotencyKey }),
  list('webhooks/replay-jobs'),
  get('webhooks/replay-jobs/:id', aReplayJob),
  // While a replay job is active, no other replay job can be created.
  { ...create('webhooks/replay-jobs', () => ({ created_from: formatToday(), dry_run: true })), ok: 200 },
  write('POST', 'webhooks/replay-jobs/:id/cancel', aReplayJob),
  list('webhooks/event-types'),
  { ...list('webhooks/event-types/:id'), ids: async () => ({ id: 'webhook.test' }) },
  { ...list('webhooks/event-types/:id/schema'), ids: async () => ({ id: 'webhook.test' }) },
  list('webhooks/events'),
  list('webhooks/events/stream'),
  get('webhooks/events/:id', aPublicEvent),
];

const commerce: Row[] = [
  list('commerce/products'),
  get('commerce/products/:id', aProduct),
  create('commerce/products', () => ({ name: 'A course' })),
  write('PATCH', 'commerce/products/:id', aProduct, { body: () => ({ name: 'Another' }) }),
  write('POST', 'commerce/products/:id/plans', aProduct, { ok: 201, body: () => ({ ...PLAN }) }),
  write('DELETE', 'commerce/products/:id/plans/:plan_id', aPlan),
  write('POST', 'commerce/products/:id/images', aProduct, {
    ok: 201,
    body: () => ({ url: 'https://example.com/a.png' }),
  }),
  write('POST', 'commerce/products/:id/attachments', aProduct, {
    ok: 201,
    body: () => ({ url: 'https://example.com/a.pdf' }),
  }),
  write('DELETE', 'commerce/products/:id/images/:image_id', (world) => aFile('images', 'image_id', world)),
  write('DELETE', 'commerce/products/:id/attachments/:attachment_id', (world) =>
    aFile('attachments', 'attachment_id', world),
  ),
  { route: 'GET /v1/commerce/product-reviews', ok: 200, cells: cells.REVIEW_LIST },
  list('commerce/discounts'),
  create('commerce/discounts', () => createDiscountBody()),
  write('DELETE', 'commerce/discounts/:id', aDiscount),
  list('commerce/offers'),
  get('commerce/offers/:id', anOffer),
  { ...create('commerce/offers', (world) => world.createOfferBody()), cells: cells.OFFER_CREATE },
  write('POST', 'commerce/offers/:id/send', anOffer),
  write('POST', 'commerce/offers/:id/resend', aSentOffer),
  write('POST', 'commerce/offers/:id/cancel', anOffer),
  { route: 'POST /v1/commerce/products/:id/approve', ok: 200, cells: cells.REVIEW, ids: aProduct },
  {
    route: 'POST /v1/commerce/products/:id/deny',
    ok: 200,
    cells: cells.REVIEW,
    ids: aProduct,
    body: () => ({ reason: 'Not this.' }),
  },
  { route: 'GET /v1/commerce/test-clock', ok: 200, cells: cells.TEST_CLOCK_GET, naming: true },
  {
    route: 'PUT /v1/commerce/test-clock',
    ok: 200,
    cells: cells.TEST_CLOCK_WRITE,
    naming: true,
    body: () => ({ now: formatSoon() }),
  },
  list('commerce/buyers'),
  get('commerce/buyers/:id', sold('buyers')),
  get('commerce/buyers/:id/personal-data', sold('buyers')),
  // The subscription of the buyer may still run.
  write('DELETE', 'commerce/buyers/:id/personal-data', sold('buyers'), { ok: [200, 422] }),
  list('commerce/orders'),
  get('commerce/orders/:id', sold('orders')),
  // The order has no installments.
  write('POST', 'commerce/orders/:id/installments/cancellations', sold('orders'), { ok: 422 }),
  write('PUT', 'commerce/orders/:id/installments/payment-method', sold('orders'), {
    ok: 422,
    body: () => ({ token: 'tok_ok' }),
  }),
  list('commerce/payments'),
  get('commerce/payments/:id', sold('payments')),
  write('POST', 'commerce/payments/:id/refunds', sold('payments'), { ok: 201, body: () => ({ amount_cents: 1 }) }),
  list('commerce/refunds'),
  get('commerce/refunds/:id', aRefund),
  list('commerce/disputes'),
  get('commerce/disputes/:id', aDispute),
  write('PUT', 'commerce/disputes/:id/outcome', aDispute, {
    cells: cells.DISPUTE_OUTCOME,
    body: () => ({ status: 'won' }),
  }),
  list('commerce/balance'),
  list('commerce/payouts'),
  {
    ...create('commerce/payouts', async (world) => {
      await world.soldItem('payments');
      return { amount_cents: 1, currency: 'EUR' };
    }),
    cells: cells.PAYOUT,
  },
  list('commerce/invoices'),
  get('commerce/invoices/:id', sold('invoices')),
  list('commerce/subscriptions'),
  get('commerce/subscriptions/:id', sold('subscriptions')),
  get('commerce/subscriptions/:id/changes', sold('subscriptions')),
  write('POST', 'commerce/subscriptions/:id/plan', aSubscription(['price', { amount_cents: 5900 }]), {
    body: async (world) => ({ plan_id: (await world.approvedProduct()).plans[0].id as string }),
  }),
  write('POST', 'commerce/subscriptions/:id/price', aSubscription(), { body: () => ({ amount_cents: 5900 }) }),
  write('DELETE', 'commerce/subscriptions/:id/pending-change', aSubscription(['price', { amount_cents: 5900 }])),
  write('POST', 'commerce/subscriptions/:id/pause', aSubscription()),
  write('POST', 'commerce/subscriptions/:id/resume', aSubscription(['pause', {}])),
  write('PUT', 'commerce/subscriptions/:id/payment-method', aSubscription(), { body: () => ({ token: 'tok_ok' }) }),
  write('POST', 'commerce/subscriptions/:id/cancel', aSubscription()),
  write('POST', 'commerce/subscriptions/:id/uncancel', aSubscription(['cancel', {}])),
];

/** Without a signing secret there are no events. */
const gateways: Row[] = [{ route: 'POST /v1/gateways/stripe/events', ok: 404, cells: cells.PUBLIC, body: () => ({}) }];

const buying: Row[] = [
  { route: 'GET /v1/commerce/buyer/products/:id', ok: 200, cells: cells.BUYER_VIEW, ids: anApprovedProduct },
  {
    route: 'POST /v1/commerce/carts',
    ok: 201,
    cells: cells.CART_CREATE,
    body: ({ business }) => ({ business_id: business.id }),
  },
  { route: 'GET /v1/commerce/carts/:id', ok: 200, cells: cells.CART_GET, ids: aCart },
  {
    route: 'PATCH /v1/commerce/carts/:id',
    ok: 200,
    cells: cells.CART_WRITE,
    ids: aCart,
    body: () => ({ buyer: { email: 'bob@example.com' } }),
  },
  {
    route: 'POST /v1/commerce/carts/:id/lines',
    ok: 201,
    cells: cells.CART_WRITE,
    ids: aCart,
    body: async (world) => ({ product_id: (await world.approvedProduct()).id as string }),
  },
  {
    route: 'PATCH /v1/commerce/carts/:id/lines/:line_id',
    ok: 200,
    cells: cells.CART_WRITE,
    ids: aLine,
    body: () => ({ quantity: 2 }),
  },
  { route: 'DELETE /v1/commerce/carts/:id/lines/:line_id', ok: 200, cells: cells.CART_WRITE, ids: aLine },
  {
    route: 'POST /v1/commerce/carts/:id/checkout',
    ok: 201,
    cells: cells.CART_WRITE,
    ids: aFilledCart,
    body: () => ({ payment_method: { token: 'tok_ok' } }),
  },
];

const community: Row[] = [
  { route: 'GET /v1/community/communities', ok: 200, cells: cells.COMMUNITY_GET },
  { route: 'GET /v1/community/invites', ok: 200, cells: cells.COMMUNITY_GET },
  {
    route: 'POST /v1/community/communities',
    ok: 201,
    cells: cells.COMMUNITY_CREATE,
    body: () => ({ name: 'Weavers' }),
  },
  { route: 'GET /v1/community/communities/:id', ok: 200, cells: cells.COMMUNITY_GET, ids: aCommunity },
  {
    route: 'POST /v1/community/communities/:id/posts',
    ok: 201,
    cells: cells.MEMBERS_WRITE,
    ids: aCommunity,
    body: () => ({ content: 'Kilns' }),
  },
  { route: 'GET /v1/community/communities/:id/posts', ok: 200, cells: cells.MEMBERS_GET, ids: aCommunity },
  below('GET', 'members', cells.MEMBERS_GET),
  below('GET', 'onboarding-tasks', cells.MEMBERS_GET),
  below('POST', 'onboarding-tasks', cells.MODERATORS_WRITE, { ok: 201, body: () => createTaskBody() }),
  below('GET', 'onboarding-tasks/progress', cells.MEMBERS_GET),
  below('DELETE', 'onboarding-tasks/:task_key', cells.MODERATORS_WRITE, { ids: aTask }),
  below('POST', 'onboarding-tasks/:task_key/complete', cells.MEMBERS_WRITE, { ids: aTask }),
  below('POST', 'members/import', cells.OWNER_WRITE, { body: () => ({ members: [{ email: 'ann@example.com' }] }) }),
  below('GET', 'members/imports/:import_id', cells.MODERATORS_GET, { ids: anImport }),
  below('GET', 'members/:user_id', cells.MEMBERS_GET, { ids: aMember }),
  below('PATCH', 'members/:user_id', cells.OWNER_WRITE, { ids: aMember, body: () => ({ level: 2 }) }),
  below('DELETE', 'members/:user_id', cells.MODERATORS_WRITE, { ids: aMember }),
  below('PUT', 'members/:user_id/expert-badge', cells.MODERATORS_WRITE, { ids: aMember }),
  below('DELETE', 'members/:user_id/expert-badge', cells.MODERATORS_WRITE, { ids: aMember }),
  below('POST', 'join', cells.JOIN, { ok: [200, 201], ids: aNewCommunity }),
  below('POST', 'leave', cells.LEAVE, { ids: aNewCommunity }),
  below('PATCH', '', cells.OWNER_WRITE, { body: () => ({ description: 'Clay' }) }),
  below('POST', 'archive', cells.OWNER_WRITE, { ids: aNewCommunity }),
  below('POST', 'transfer', cells.OWNER_WRITE, { body: (world) => ({ user_id: world.business.ownerId }) }),
  below('GET', 'points', cells.MEMBERS_GET),
  below('GET', 'leaderboard', cells.MEMBERS_GET),
  below('POST', 'points/:award_id/reversal', cells.MODERATORS_WRITE, {
    ok: 201,
    ids: anAward,
    body: () => ({ reason: 'By mistake' }),
  }),
  inner('PATCH', 'posts/:post_id', aPost, cells.INNER_OWNER_WRITE, { body: () => ({ content: 'Glazes' }) }),
  inner('DELETE', 'posts/:post_id', aDeletablePost, cells.INNER_OWNER_WRITE),
  inner('POST', 'posts/:post_id/restore', aPost, cells.INNER_MODERATORS_WRITE),
  inner('PUT', 'posts/:post_id/like', aPost, cells.INNER_MEMBERS_WRITE),
  inner('DELETE', 'posts/:post_id/like', aPost, cells.INNER_MEMBERS_WRITE),
  inner('GET', 'posts/:post_id/comments', aPost, cells.INNER_MEMBERS_GET),
  inner('POST', 'posts/:post_id/comments', aPost, cells.INNER_MEMBERS_WRITE, {
    ok: 201,
    body: () => ({ content: 'Fired' }),
  }),
  inner('DELETE', 'comments/:comment_id', aComment, cells.INNER_OWNER_WRITE),
  { route: 'GET /v1/community/communities/:id/channels', ok: 200, cells: cells.MEMBERS_GET, ids: aCommunity },
  {
    route: 'POST /v1/community/communities/:id/channels',
    ok: 201,
    cells: cells.MODERATORS_WRITE,
    ids: aCommunity,
    body: () => createChannelBody(),
  },
  { route: 'GET /v1/community/communities/:id/library/resources', ok: 200, cells: cells.MEMBERS_GET, ids: aCommunity },
  {
    route: 'POST /v1/community/communities/:id/library/resources',
    ok: 201,
    cells: cells.MODERATORS_WRITE,
    ids: aCommunity,
    body: () => LIBRARY_RESOURCE,
  },
  below('GET', 'invites', cells.MODERATORS_GET),
  below('POST', 'invites', cells.MODERATORS_WRITE, { ok: [200, 201], body: () => ({ email: 'invited@example.com' }) }),
  inner('GET', 'invites/:invite_id', anInvite, cells.INVITE_GET),
  inner('DELETE', 'invites/:invite_id', anInvite, cells.INVITE_WRITE),
  inner('POST', 'invites/:invite_id/resend', anInvite, cells.INVITE_WRITE),
  inner('POST', 'invites/:invite_id/accept', anInviteOfTheOutsider, cells.INVITE_ACCEPT),
  inner('POST', 'invites/:invite_id/decline', anInviteOfTheOutsider, cells.INVITE_DECLINE),
  below('GET', 'challenges', cells.MEMBERS_GET),
  below('POST', 'challenges', cells.MODERATORS_WRITE, { ok: 201, body: () => CHALLENGE }),
  inner('GET', 'challenges/:challenge_id', aChallenge, cells.INNER_MEMBERS_GET),
  inner('PATCH', 'challenges/:challenge_id', aChallenge, cells.INNER_MODERATORS_WRITE, {
    body: () => ({ title: 'Forty pots' }),
  }),
  inner(
    'DELETE',
    'challenges/:challenge_id',
    async (world) => ({ challenge_id: (await world.newChallenge()).id as string }),
    cells.INNER_MODERATORS_WRITE,
  ),
  inner('POST', 'challenges/:challenge_id/join', aChallenge, cells.INNER_MEMBERS_WRITE),
  inner('GET', 'challenges/:challenge_id/progress', aChallenge, cells.INNER_MEMBERS_GET),
  inner('GET', 'library/resources/:resource_id', aResource, cells.INNER_MEMBERS_GET),
  inner('PATCH', 'library/resources/:resource_id', aResource, cells.INNER_MODERATORS_WRITE, {
    body: () => ({ title: 'Cones' }),
  }),
  inner(
    'DELETE',
    'library/resources/:resource_id',
    async (world) => ({ resource_id: (await world.newLibraryResource()).id as string }),
    cells.INNER_MODERATORS_WRITE,
  ),
  inner('POST', 'library/resources/:resource_id/downloads', aResource, cells.INNER_MEMBERS_WRITE, { ok: 201 }),
  inner('GET', 'channels/:channel_id', aChannel, cells.INNER_MEMBERS_GET),
  inner('PATCH', 'channels/:channel_id', aChannel, cells.INNER_MODERATORS_WRITE, { body: () => createChannelBody() }),
  inner(
    'DELETE',
    'channels/:channel_id',
    async (world) => ({ channel_id: (await world.newChannel()).id as string }),
    cells.INNER_MODERATORS_WRITE,
  ),
  inner('GET', 'channels/:channel_id/messages', aChannel, cells.INNER_MEMBERS_GET),
  inner('POST', 'channels/:channel_id/messages', aChannel, cells.INNER_MEMBERS_WRITE, {
    ok: 201,
    body: () => ({ content: 'Which cone?' }),
  }),
  inner('GET', 'messages/:message_id', aMessage, cells.INNER_MEMBERS_GET),
  inner('PATCH', 'messages/:message_id', aMessage, cells.INNER_OWNER_WRITE, { body: () => ({ content: 'Six' }) }),
  inner('DELETE', 'messages/:message_id', aMessage, cells.INNER_OWNER_WRITE),
  { route: 'GET /v1/community/posts/:post_id', ok: 200, cells: cells.INNER_MEMBERS_GET, ids: aPost },
  {
    route: 'POST /v1/community/communities/:id/points',
    ok: 201,
    cells: cells.MODERATORS_WRITE,
    ids: aCommunity,
    body: () => ({ points: 5, target_email: 'member@example.com' }),
  },
];

const audit: Row[] = [
  list('audit/events'),
  get('audit/events/:id', async (world) => ({ id: (await world.auditEvent()).id })),
  get('audit/resources/:id', aProduct),
  get('audit/resources/:id/history', aProduct),
  get('audit/correlations/:id', async (world) => ({ id: (await world.auditEvent()).correlation_id })),
  list('audit/chain'),
  list('audit/exports'),
  create('audit/exports', () => ({ format: 'ndjson' })),
  get('audit/exports/:id', anAuditExport),
  get('audit/exports/:id/file', anAuditExport),
  write(
    'DELETE',
    'audit/exports/:id',
    id((world) => world.newAuditExport()),
  ),
];

/** The permissions of every operation. */
export const TABLE: readonly Row[] = [
  ...publicRoutes,
  ...identity,
  ...webhooks,
  ...commerce,
  ...buying,
  ...gateways,
  ...community,
  ...audit,
];

function below(method: string, path: string, row: cells.Cells, more: Partial<Row> = {}): Row {
  const route = `${method} /v1/community/communities/:id${path === '' ? '' : `/${path}`}` as const;
  return { route, ok: 200, cells: row, ids: aCommunity, ...more };
}

function inner(method: string, path: string, ids: Row['ids'], row: cells.Cells, more: Partial<Row> = {}): Row {
  return { route: `${method} /v1/community/${path}`, ok: 200, cells: row, ids, ...more };
}

function formatToday(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The test clock of the fixture only moves forward. */
function formatSoon(): string {
  return new Date(Date.now() + 1_000).toISOString();
}

function list(path: string): Row {
  return { route: `GET /v1/${path}`, ok: 200, cells: cells.BUSINESS_LIST, naming: true };
}

function get(path: string, ids: Row['ids']): Row {
  return { route: `GET /v1/${path}`, ok: 200, cells: cells.BUSINESS_GET, naming: true, ids };
}

function create(path: string, body: Row['body']): Row {
  return { route: `POST /v1/${path}`, ok: 201, cells: cells.BUSINESS_CREATE, naming: true, body };
}

function write(method: string, path: string, ids: Row['ids'], more: Partial<Row> = {}): Row {
  return { route: `${method} /v1/${path}`, ok: 200, cells: cells.BUSINESS_WRITE, naming: true, ids, ...more };
}
