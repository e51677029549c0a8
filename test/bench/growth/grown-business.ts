import { randomUUID } from 'node:crypto';
import { Api, requireData } from '../../support/api.ts';
import { findFreePort } from '../../support/free-port.ts';
import { signSessionToken } from '../../support/ops.ts';
import { TEST_ENVIRONMENT } from '../../support/service-process.ts';
import { toBuiltPath } from '../built.ts';
import { FIRST_KEY, MeasuredServer } from '../server.ts';

const ONCE = { kind: 'one_time', amount_cents: 2500, currency: 'EUR' };
const OWNER = 'owner@example.com';

/** The key and the ids created on a store, for later starts on it or on a copy. */
export interface BusinessSeed {
  readonly key: string;
  readonly productId: string;
  readonly communityId: string;
}

interface RunningService {
  readonly server: MeasuredServer;
  readonly opsPort: number;
}

/** A business on a store, with a running service. */
export class GrownBusiness {
  readonly server: MeasuredServer;
  readonly api: Api;
  readonly metricsUrl: string;
  private readonly seed: BusinessSeed;

  private constructor({ server, opsPort }: RunningService, seed: BusinessSeed) {
    this.server = server;
    this.metricsUrl = `http://127.0.0.1:${opsPort}/metrics`;
    this.api = new Api(server.url, seed.key);
    this.seed = seed;
  }

  /** Creates the first data of a store: a product, a community, an endpoint without a receiver, a sale and an award. */
  static async create(dataDir: string): Promise<BusinessSeed> {
    const life = await startService(dataDir);
    const { server } = life;
    const key = FIRST_KEY.exec(server.output)![0];
    const api = new Api(server.url, key);
    const owner = new Api(server.url, await signSessionToken(dataDir, 'owner', OWNER));
    const productId = requireData(await api.post('/v1/commerce/products', { name: 'A course', plans: [ONCE] })).id;
    const communityId = requireData(await owner.post('/v1/community/communities', { name: 'Potters' })).id;
    const endpoint = requireData(
      await api.post('/v1/webhooks/endpoints', { url: `${server.url}/nowhere`, event_types: ['offer.sent'] }),
    );
    await api.post(`/v1/webhooks/endpoints/${endpoint.id}/test-events`, {}, { 'idempotency-key': randomUUID() });
    const seed = { key, productId, communityId };
    const shop = new GrownBusiness(life, seed);
    requireData(await shop.award());
    requireData(await shop.checkOut(await shop.createCart()));
    await server.takeCpuMicrosUntilIdle();
    await server.stop();
    return seed;
  }

  static async open(dataDir: string, seed: BusinessSeed): Promise<GrownBusiness> {
    return new GrownBusiness(await startService(dataDir), seed);
  }

  async createCart(): Promise<string> {
    const { id } = requireData(
      await this.api.post('/v1/commerce/carts', { buyer: { email: 'Ada@Example.com', name: 'Ada' } }),
    );
    requireData(await this.api.post(`/v1/commerce/carts/${id}/lines`, { product_id: this.seed.productId }));
    return id as string;
  }

  checkOut(cartId: string) {
    const method = { payment_method: { token: 'tok_ok' } };
    return this.api.post(`/v1/commerce/carts/${cartId}/checkout`, method, { 'idempotency-key': randomUUID() });
  }

  award() {
    return this.api.post(`/v1/community/communities/${this.seed.communityId}/points`, {
      points: 1,
      target_email: OWNER,
    });
  }
}

async function startService(dataDir: string): Promise<RunningService> {
  const opsPort = await findFreePort();
  const environment = { ...TEST_ENVIRONMENT, PRODUCT_REVIEW: 'auto', OPS_PORT: String(opsPort), DATA_DIR: dataDir };
  return { server: await MeasuredServer.start(toBuiltPath('main.js'), environment), opsPort };
}
