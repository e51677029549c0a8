import { createHmac } from 'node:crypto';
import { addressOf, joined } from '../community/people.js';
import { dataOf, type Api, type Reply } from '../support/api.js';
import { hang, status } from '../support/answers.js';
import { Receiver } from '../support/receiver.js';
import type { Service, TestBusiness } from '../support/service.js';
import type { CallerName } from './cells.js';

type Mode = 'live' | 'test';

const PLAN = { kind: 'subscription', amount_cents: 4900, currency: 'EUR', interval: 'month' };
const BUYER = { email: 'ada@example.com' };
/** An event type that occurs once, so that an endpoint gets one delivery. */
const HEARD = 'cart.order.completed';
const UNHEARD = 'invoice.voided';
const HOUR_MS = 3_600_000;

let keys = 0;

/** Creates one resource of each kind for a business in one mode, and clients for all callers. */
export class World {
  private readonly kept = new Map<string, Promise<Reply['body']>>();

  private constructor(
    private readonly service: Service,
    private readonly receiver: Receiver,
    readonly business: TestBusiness,
    private readonly foreign: TestBusiness,
    /** The client with a secret key of the mode. */
    private readonly maker: Api,
    private readonly callers: Readonly<Partial<Record<CallerName, string | null>>>,
  ) {}

  static async open(service: Service, receiver: Receiver, mode: Mode = 'live'): Promise<World> {
    const [business, foreign] = [await service.business(), await service.business('Foreign', 'somebody')];
    const maker = service.api(await service.key(business, { mode }));
    const world = new World(service, receiver, business, foreign, maker, await credentials(service, business, foreign));
    receiver.answers(`/${mode}`, status(400));
    return world;
  }

  /** @param naming whether all sessions name the business; otherwise only those of owners do */
  async caller(name: CallerName, naming: boolean): Promise<Api> {
    const api = this.service.api(name === 'token of another cart' ? (await this.cart()).cart_token : this.callers[name]);
    if (name === 'owner of another business') return api.with({ 'x-service-business-id': this.foreign.id });
    const named = name === 'owner' || (naming && ['moderator', 'member', 'outsider', 'reviewer'].includes(name));
    return named ? api.with({ 'x-service-business-id': this.business.id }) : api;
  }

  get token(): string {
    return this.callers['owner who names no business']!;
  }

  async apiKey() {
    const owner = await this.caller('owner', true);
    return dataOf(await owner.post('/v1/auth/api-keys', { name: 'A key', mode: 'live', access: 'full' }));
  }

  endpoint(eventType = UNHEARD) {
    const url = this.receiver.url('/live');
    return this.make('/v1/webhooks/endpoints', { url, event_types: [eventType] });
  }

  /** Creates a delivery that its receiver rejected. */
  delivery() {
    return this.once('delivery', async () => {
      const { id } = await this.endpoint(HEARD);
      await this.order();
      return this.firstDelivery(id);
    });
  }

  /** Creates a replay job that runs until its receiver stops. */
  replayJob() {
    return this.once('replayJob', async () => {
      const path = `/held/${this.business.id}`;
      this.receiver.answers(path, status(400), hang());
      const { id } = await this.make('/v1/webhooks/endpoints', { url: this.receiver.url(path), event_types: [HEARD] });
      await this.order();
      await this.firstDelivery(id);
      const job = await this.make('/v1/webhooks/replay-jobs', {
        created_from: new Date(Date.now() - HOUR_MS).toISOString(),
        endpoint_id: id,
      });
      await this.receiver.received(path, 2);
      return job;
    });
  }

  product() {
    return this.make('/v1/commerce/products', { name: 'A course', plans: [PLAN] });
  }

  approved() {
    return this.once('approved', async () => {
      const { id } = await this.product();
      const reviewer = await this.caller('reviewer', false);
      return dataOf(await reviewer.post(`/v1/commerce/products/${id}/approve`));
    });
  }

  cart() {
    return this.make('/v1/commerce/carts', { buyer: BUYER });
  }

  /** Creates a cart with a line. */
  async filled() {
    const [{ id }, product] = [await this.cart(), await this.approved()];
    return this.make(`/v1/commerce/carts/${id}/lines`, { product_id: product.id });
  }

  async order() {
    const { id } = await this.filled();
    return this.make(`/v1/commerce/carts/${id}/checkout`, { payment_method: { token: 'tok_ok' } });
  }

  /** Returns a resource of a completed order, from the list `payments`, `invoices` or `subscriptions`. */
  sold(list: string) {
    return this.once(list, async () => {
      await this.once('order', () => this.order());
      for (;;) {
        const [first] = dataOf(await this.maker.get(`/v1/commerce/${list}`));
        if (first !== undefined) return first;
      }
    });
  }

  /** Creates a community with a moderator and a member. */
  community() {
    return this.once('community', async () => {
      const community = await this.make('/v1/community/communities', { name: 'Potters' });
      await joined(this.service, community.id, 'moderator', 'moderator');
      await joined(this.service, community.id, 'member', 'member');
      return community;
    });
  }

  post() {
    return this.once('post', async () => this.make(`/v1/community/communities/${(await this.community()).id}/posts`, { content: 'Glaze' }));
  }

  private async firstDelivery(endpointId: string): Promise<Reply['body']> {
    for (;;) {
      const [record] = dataOf(await this.maker.get(`/v1/webhooks/deliveries?endpoint_id=${endpointId}`));
      if (record !== undefined) return record;
      await new Promise(setImmediate);
    }
  }

  private async make(path: string, body: object): Promise<Reply['body']> {
    return dataOf(await this.maker.post(path, body));
  }

  private once(name: string, make: () => Promise<Reply['body']>): Promise<Reply['body']> {
    const kept = this.kept.get(name) ?? make();
    this.kept.set(name, kept);
    return kept;
  }
}

export function freshKey(): { 'idempotency-key': string } {
  return { 'idempotency-key': `key ${++keys}` };
}

async function credentials(service: Service, business: TestBusiness, foreign: TestBusiness) {
  const session = (name: string, wish = {}) => service.token(name, { email: addressOf(name), ...wish });
  const owner = await service.token('owner');
  return {
    'secret key': await service.key(business),
    'read-only key': await service.key(business, { access: 'read_only' }),
    'test key': await service.key(business, { mode: 'test' }),
    owner,
    'owner who names no business': owner,
    moderator: await session('moderator'),
    member: await session('member'),
    outsider: await session('outsider'),
    reviewer: await session('reviewer', { reviewer: true }),
    'key of another business': await service.key(foreign),
    'owner of another business': await service.token('somebody'),
    'expired token': await service.token('owner', { expiresInSeconds: -60 }),
    'forged kid': forged(owner),
    nobody: null,
  };
}

/** Returns a token with an unknown key id, signed by another secret. */
function forged(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: 'forged' })).toString('base64url');
  const signed = `${header}.${token.split('.')[1]}`;
  return `${signed}.${createHmac('sha512', 'a secret').update(signed).digest('base64url')}`;
}
