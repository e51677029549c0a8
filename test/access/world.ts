import { createHmac } from 'node:crypto';
import { Disputes } from '../../src/commerce/commands/disputes.steps.js';
import { offerDecider } from '../../src/commerce/domain/offer.js';
import { productDecider } from '../../src/commerce/domain/product.js';
import { Streams } from '../../src/engine/streams/streams.js';
import { toIso } from '../../src/kernel/clock.js';
import { emailFor, joinAs } from '../community/community-users.js';
import { recordInvite } from '../community/recorded-invite.js';
import { type Api, type ApiResponse, requireData } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { createContext } from '../support/jar.js';
import { Receiver } from '../support/receiver.js';
import { hang, respondWith } from '../support/receiver-responses.js';
import type { Service, TestBusiness } from '../support/service.js';
import type { CallerName } from './cells.js';

type Mode = 'live' | 'test';

let channels = 0;
let tasks = 0;
let guests = 0;
let discounts = 0;
export const PLAN = { kind: 'subscription', amount_cents: 4900, currency: 'EUR', interval: 'month' };
export const CHALLENGE = { title: 'Thirty pots', goal_type: 'posts', goal_target: 30 };
export const LIBRARY_RESOURCE = { title: 'Glazes', file_url: 'https://example.com/glazes.pdf' };
const BUYER = { email: 'ada@example.com' };
/** An event type that occurs once, so that an endpoint gets one delivery. */
const SUBSCRIBED_TYPES = 'cart.order.completed';
const UNSUBSCRIBED_TYPE = 'invoice.voided';
const HOUR_MS = 3_600_000;

let keys = 0;

/** Creates one resource of each kind for a business in one mode, and clients for all callers. */
export class AccessFixture {
  private readonly created = new Map<string, Promise<ApiResponse['body']>>();
  private exports = 0;

  private constructor(
    private readonly service: Service,
    private readonly receiver: Receiver,
    readonly business: TestBusiness,
    private readonly foreign: TestBusiness,
    /** The client with a secret key of the mode. */
    private readonly creator: Api,
    private readonly callers: Readonly<Partial<Record<CallerName, string | null>>>,
    private readonly mode: Mode,
  ) {}

  static async create(service: Service, receiver: Receiver, mode: Mode = 'live'): Promise<AccessFixture> {
    const [business, foreign] = [await service.createBusiness(), await service.createBusiness('Foreign', 'somebody')];
    const maker = service.createApi(await service.createKey(business, { mode }));
    const world = new AccessFixture(
      service,
      receiver,
      business,
      foreign,
      maker,
      await createCredentials(service, business, foreign),
      mode,
    );
    receiver.setResponses(`/${mode}`, respondWith(400));
    return world;
  }

  /** @param naming whether all sessions name the business; otherwise only those of owners do */
  async apiFor(name: CallerName, naming: boolean): Promise<Api> {
    const api = this.service.createApi(
      name === 'token of another cart' ? (await this.cart()).cart_token : this.callers[name],
    );
    if (name === 'owner of another business') return api.withHeaders({ 'x-service-business-id': this.foreign.id });
    const named = name === 'owner' || (naming && ['moderator', 'member', 'outsider', 'reviewer'].includes(name));
    return named ? api.withHeaders({ 'x-service-business-id': this.business.id }) : api;
  }

  get token(): string {
    return this.callers['owner who names no business']!;
  }

  async apiKey() {
    const owner = await this.apiFor('owner', true);
    return requireData(await owner.post('/v1/auth/api-keys', { name: 'A key', mode: 'live', access: 'full' }));
  }

  endpoint(eventType = UNSUBSCRIBED_TYPE) {
    const url = this.receiver.url('/live');
    return this.createResource('/v1/webhooks/endpoints', { url, event_types: [eventType] });
  }

  /** Creates a delivery that its receiver rejected. */
  delivery() {
    return this.createOnce('delivery', async () => {
      const { id } = await this.endpoint(SUBSCRIBED_TYPES);
      await this.order();
      return this.firstDelivery(id);
    });
  }

  /** Creates a replay job that runs until its receiver stops. */
  replayJob() {
    return this.createOnce('replayJob', async () => {
      const path = `/held/${this.business.id}`;
      this.receiver.setResponses(path, respondWith(400), hang());
      const { id } = await this.createResource('/v1/webhooks/endpoints', {
        url: this.receiver.url(path),
        event_types: [SUBSCRIBED_TYPES],
      });
      await this.order();
      await this.firstDelivery(id);
      const job = await this.createResource('/v1/webhooks/replay-jobs', {
        created_from: new Date(Date.now() - HOUR_MS).toISOString(),
        endpoint_id: id,
      });
      await this.receiver.waitForRequests(path, 2);
      return job;
    });
  }

  /** Creates a completed export. */
  /** Each export has a range of its own. */
  newAuditExport() {
    const recorded_to = toIso(Date.parse('2026-01-01') + this.exports++ * 1_000);
    return this.createResource('/v1/audit/exports', { recorded_to });
  }

  auditExport() {
    return this.createOnce('auditExport', async () => {
      const { id } = await this.createResource('/v1/audit/exports', { format: 'ndjson' });
      return eventually(
        async () => requireData(await this.creator.get(`/v1/audit/exports/${id}`)),
        ({ status }) => status === 'completed',
      );
    });
  }

  product(plan: object = PLAN) {
    return this.createResource('/v1/commerce/products', { name: 'A course', plans: [plan] });
  }

  /** Adds a file to a new product. */
  async productWithFile(kind: 'images' | 'attachments') {
    const { id } = await this.product();
    return this.createResource(`/v1/commerce/products/${id}/${kind}`, { url: 'https://example.com/a.png' });
  }

  /** An entry of the change history. */
  async auditEvent(): Promise<{ id: string; correlation_id: string }> {
    const { id } = await this.product();
    return requireData(await this.creator.get(`/v1/audit/events?resource=${id}`))[0];
  }

  discount() {
    return this.createResource('/v1/commerce/discounts', createDiscountBody());
  }

  approvedProduct(plan: object = PLAN) {
    return this.createOnce(`approved ${JSON.stringify(plan)}`, async () => {
      const { id } = await this.product(plan);
      const reviewer = await this.apiFor('reviewer', false);
      return requireData(await reviewer.post(`/v1/commerce/products/${id}/approve`));
    });
  }

  async createOfferBody() {
    return { product_id: (await this.approvedProduct()).id as string, buyer: BUYER, amount_cents: 3900 };
  }

  async offer() {
    return this.createResource('/v1/commerce/offers', await this.createOfferBody());
  }

  /** Creates an offer that was sent long enough ago to be sent again. */
  async sentOffer() {
    const [offer, streams] = [await this.offer(), this.service.get(Streams)];
    const product = await streams.loadState(productDecider, offer.product.id);
    if (product.status === 'unknown') throw new Error('The product is missing');
    const context = { ...createContext(`send ${offer.id}`), business: this.business.id, mode: product.mode };
    const command = { type: 'SendOffer', product } as const;
    await streams.execute(offerDecider, offer.id, command, { ...context, now: '2026-01-01T00:00:00.000Z' });
    return offer;
  }

  cart() {
    return this.createResource('/v1/commerce/carts', { buyer: BUYER });
  }

  /** Creates a cart with a line. */
  async filledCart(plan: object = PLAN) {
    const [{ id }, product] = [await this.cart(), await this.approvedProduct(plan)];
    return this.createResource(`/v1/commerce/carts/${id}/lines`, { product_id: product.id });
  }

  async order(plan: object = PLAN) {
    const { id } = await this.filledCart(plan);
    return this.createResource(`/v1/commerce/carts/${id}/checkout`, { payment_method: { token: 'tok_ok' } });
  }

  async subscription(request?: readonly [path: string, body: object]) {
    const { subscription } = (await this.order()).line_items[0];
    const [path, body] = request ?? [];
    if (path !== undefined)
      requireData(await this.creator.post(`/v1/commerce/subscriptions/${subscription.id}/${path}`, body));
    return subscription;
  }

  /** Returns a resource of a completed order, from the list `payments`, `invoices` or `subscriptions`. */
  soldItem(list: string) {
    return this.createOnce(list, async () => {
      await this.createOnce('order', () => this.order());
      for (;;) {
        const [first] = requireData(await this.creator.get(`/v1/commerce/${list}`));
        if (first !== undefined) return first;
      }
    });
  }

  /** Refunds a cent of a payment. */
  async refund() {
    const { id } = await this.soldItem('payments');
    return this.createResource(`/v1/commerce/payments/${id}/refunds`, { amount_cents: 1 });
  }

  /** Disputes a cent of a payment. */
  async dispute() {
    const { id } = await this.soldItem('payments');
    const terms = { gatewayReference: `du_${id}`, amountCents: 1, currency: 'EUR', reason: 'general' };
    const report = { ...terms, status: 'open', feeCents: 0, evidenceDueAt: null } as const;
    const context = { ...createContext(`dispute ${id}`), business: this.business.id, mode: this.mode };
    await this.service.get(Disputes).execute(id, { type: 'RecordDispute', report }, context);
    const find = async () => requireData(await this.creator.get(`/v1/commerce/disputes?payment_id=${id}`));
    return (await eventually(find, ({ length }) => length > 0))[0];
  }

  /** Creates a community with a moderator and a member. */
  community() {
    return this.createOnce('community', () => this.newCommunity());
  }

  async newCommunity() {
    const community = await this.createResource('/v1/community/communities', { name: 'Potters' });
    await joinAs(this.service, community.id, 'moderator', 'moderator');
    await joinAs(this.service, community.id, 'member', 'member');
    return community;
  }

  /** Returns the user id of a plain member who sends no requests. */
  async newMemberId(): Promise<string> {
    const member = await joinAs(this.service, (await this.community()).id, `guest${++guests}`, 'member');
    return requireData(await member.get('/v1/auth/me')).user.id;
  }

  /** Invites a user to a community: outsiders to another one, so that they stay outsiders of the first one. */
  async newInviteId(name: string): Promise<string> {
    const community = name === 'outsider' ? this.createOnce('inviter', () => this.newCommunity()) : this.community();
    return recordInvite(this.service, (await community).id, name);
  }

  post() {
    return this.createOnce('post', () => this.newPost());
  }

  async newPost() {
    return this.createResource(`/v1/community/communities/${(await this.community()).id}/posts`, { content: 'Glaze' });
  }

  async newTask() {
    const path = `/v1/community/communities/${(await this.community()).id}/onboarding-tasks`;
    return this.createResource(path, createTaskBody());
  }

  async newAward() {
    const path = `/v1/community/communities/${(await this.community()).id}/points`;
    return this.createResource(path, { points: 5, target_email: 'member@example.com' });
  }

  memberImport() {
    return this.createOnce('import', async () => {
      const path = `/v1/community/communities/${(await this.community()).id}/members/import`;
      return requireData(await this.creator.post(path, { members: [{ email: 'iris@example.com' }] }));
    });
  }

  /** Creates a challenge that the owner, the moderator and the member have joined. */
  challenge() {
    return this.createOnce('challenge', async () => {
      const challenge = await this.newChallenge();
      for (const name of ['owner', 'moderator', 'member'] as const)
        requireData(await (await this.apiFor(name, false)).post(`/v1/community/challenges/${challenge.id}/join`));
      return challenge;
    });
  }

  async newChallenge() {
    return this.createResource(`/v1/community/communities/${(await this.community()).id}/challenges`, CHALLENGE);
  }

  libraryResource() {
    return this.createOnce('library resource', () => this.newLibraryResource());
  }

  async newLibraryResource() {
    const { id } = await this.community();
    return this.createResource(`/v1/community/communities/${id}/library/resources`, LIBRARY_RESOURCE);
  }

  channel() {
    return this.createOnce('channel', () => this.newChannel());
  }

  async newChannel() {
    return this.createResource(
      `/v1/community/communities/${(await this.community()).id}/channels`,
      createChannelBody(),
    );
  }

  message() {
    return this.createOnce('message', async () =>
      this.createResource(`/v1/community/channels/${(await this.channel()).id}/messages`, { content: 'Six' }),
    );
  }

  comment() {
    return this.createOnce('comment', async () =>
      this.createResource(`/v1/community/posts/${(await this.post()).id}/comments`, { content: 'Fired' }),
    );
  }

  private async firstDelivery(endpointId: string): Promise<ApiResponse['body']> {
    for (;;) {
      const [record] = requireData(await this.creator.get(`/v1/webhooks/deliveries?endpoint_id=${endpointId}`));
      if (record !== undefined) return record;
      await new Promise(setImmediate);
    }
  }

  private async createResource(path: string, body: object): Promise<ApiResponse['body']> {
    return requireData(await this.creator.post(path, body));
  }

  private createOnce(name: string, make: () => Promise<ApiResponse['body']>): Promise<ApiResponse['body']> {
    const kept = this.created.get(name) ?? make();
    this.created.set(name, kept);
    return kept;
  }
}

export function createIdempotencyKey(): { 'idempotency-key': string } {
  return { 'idempotency-key': `key ${++keys}` };
}

async function createCredentials(service: Service, business: TestBusiness, foreign: TestBusiness) {
  const session = (name: string, claims = {}) => service.signToken(name, { email: emailFor(name), ...claims });
  const owner = await service.signToken('owner');
  return {
    'secret key': await service.createKey(business),
    'read-only key': await service.createKey(business, { access: 'read_only' }),
    'test key': await service.createKey(business, { mode: 'test' }),
    owner,
    'owner who names no business': owner,
    moderator: await session('moderator'),
    member: await session('member'),
    outsider: await session('outsider'),
    reviewer: await session('reviewer', { reviewer: true }),
    'key of another business': await service.createKey(foreign),
    'owner of another business': await service.signToken('somebody'),
    'expired token': await service.signToken('owner', { expiresInSeconds: -60 }),
    'forged kid': forgeToken(owner),
    anonymous: null,
  };
}

/** Returns a token with an unknown key id, signed by another secret. */
function forgeToken(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: 'forged' })).toString('base64url');
  const signed = `${header}.${token.split('.')[1]}`;
  return `${signed}.${createHmac('sha512', 'a secret').update(signed).digest('base64url')}`;
}

/** Each code can be used once in a business. */
/** Task keys are unique. */
export function createTaskBody(): object {
  return { key: `task-${++tasks}`, title: 'Read the rules' };
}

/** Channel names are unique. */
export function createChannelBody(): object {
  return { name: `Channel ${++channels}` };
}

export function createDiscountBody() {
  return { code: `CODE-${++discounts}`, percent_off: 10 };
}
