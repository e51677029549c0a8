import { randomUUID } from 'node:crypto';
import { Api, dataOf } from '../../support/api.ts';
import { sessionToken } from '../../support/ops.ts';
import { TEST_ENVIRONMENT } from '../../support/service-process.ts';
import { built } from '../built.ts';
import { freePort } from '../../support/free-port.ts';
import { FIRST_KEY, MeasuredServer } from '../server.ts';

const ONCE = { kind: 'one_time', amount_cents: 2500, currency: 'EUR' };
const OWNER = 'owner@example.com';

/** The key and the ids created on a store, for later starts on it or on a copy. */
export interface Seed {
  readonly key: string;
  readonly productId: string;
  readonly communityId: string;
}

interface Life {
  readonly server: MeasuredServer;
  readonly opsPort: number;
}

/** A business on a store, with a running service. */
export class GrownShop {
  readonly server: MeasuredServer;
  readonly api: Api;
  readonly metricsUrl: string;
  private readonly seed: Seed;

  private constructor({ server, opsPort }: Life, seed: Seed) {
    this.server = server;
    this.metricsUrl = `http://127.0.0.1:${opsPort}/metrics`;
    this.api = new Api(server.url, seed.key);
    this.seed = seed;
  }

  /** Creates the first data of a store: a product, a community, an endpoint without a receiver, a sale and an award. */
  static async found(dataDir: string): Promise<Seed> {
    const life = await lifeOn(dataDir);
    const { server } = life;
    const key = FIRST_KEY.exec(server.output)![0];
    const api = new Api(server.url, key);
    const owner = new Api(server.url, await sessionToken(dataDir, 'owner', OWNER));
    const productId = dataOf(await api.post('/v1/commerce/products', { name: 'A course', plans: [ONCE] })).id;
    const communityId = dataOf(await owner.post('/v1/community/communities', { name: 'Potters' })).id;
    const endpoint = dataOf(await api.post('/v1/webhooks/endpoints', { url: `${server.url}/nowhere`, event_types: ['offer.sent'] }));
    await api.post(`/v1/webhooks/endpoints/${endpoint.id}/test-events`, {}, { 'idempotency-key': randomUUID() });
    const seed = { key, productId, communityId };
    const shop = new GrownShop(life, seed);
    dataOf(await shop.award());
    dataOf(await shop.checkOut(await shop.cart()));
    await server.cpuMicrosUntilRest();
    await server.stop();
    return seed;
  }

  static async on(dataDir: string, seed: Seed): Promise<GrownShop> {
    return new GrownShop(await lifeOn(dataDir), seed);
  }

  async cart(): Promise<string> {
    const { id } = dataOf(await this.api.post('/v1/commerce/carts', { buyer: { email: 'Ada@Example.com', name: 'Ada' } }));
    dataOf(await this.api.post(`/v1/commerce/carts/${id}/lines`, { product_id: this.seed.productId }));
    return id as string;
  }

  checkOut(cartId: string) {
    const method = { payment_method: { token: 'tok_ok' } };
    return this.api.post(`/v1/commerce/carts/${cartId}/checkout`, method, { 'idempotency-key': randomUUID() });
  }

  award() {
    return this.api.post(`/v1/community/communities/${this.seed.communityId}/points`, { points: 1, target_email: OWNER });
  }
}

async function lifeOn(dataDir: string): Promise<Life> {
  const opsPort = await freePort();
  const environment = { ...TEST_ENVIRONMENT, PRODUCT_REVIEW: 'auto', OPS_PORT: String(opsPort), DATA_DIR: dataDir };
  return { server: await MeasuredServer.start(built('main.js'), environment), opsPort };
}
