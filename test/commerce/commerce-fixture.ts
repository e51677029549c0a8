import { type Api, type ApiResponse, requireData } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';
import type { Environment } from '../support/service-process.js';

export const MONTHLY = {
  kind: 'subscription',
  amount_cents: 4900,
  currency: 'EUR',
  interval: 'month',
  name: 'Monthly',
};
export const ONCE = { kind: 'one_time', amount_cents: 2500, currency: 'EUR' };

type Body = Record<string, unknown>;
type Resource = ApiResponse['body']['data'];

/** A selling business with its API key and a reviewer. */
export class CommerceFixture {
  private constructor(
    readonly service: Service,
    readonly businessId: string,
    readonly api: Api,
    readonly reviewer: Api,
  ) {}

  static async start(environment: Environment = {}): Promise<CommerceFixture> {
    return CommerceFixture.createIn(await startService(environment));
  }

  /** Creates another business in the same service. */
  static async createIn(service: Service, mode: 'live' | 'test' = 'live'): Promise<CommerceFixture> {
    const business = await service.createBusiness();
    return CommerceFixture.createFor(service, business.id, await service.createKey(business, { mode }));
  }

  /** Uses a business and its key. */
  static async createFor(service: Service, businessId: string, key: string): Promise<CommerceFixture> {
    return new CommerceFixture(
      service,
      businessId,
      service.createApi(key),
      service.createApi(await service.signToken('reviewer', { reviewer: true })),
    );
  }

  async createProduct(body: Body = {}) {
    return requireData(await this.api.post('/v1/commerce/products', { name: 'A course', plans: [ONCE], ...body }));
  }

  async createApprovedProduct(body: Body = {}) {
    return this.approve((await this.createProduct(body)).id);
  }

  async approve(productId: string) {
    return requireData(await this.reviewer.post(`/v1/commerce/products/${productId}/approve`));
  }

  async deny(productId: string, reason = 'Not this.') {
    return requireData(await this.reviewer.post(`/v1/commerce/products/${productId}/deny`, { reason }));
  }

  async edit(productId: string, body: Body) {
    return requireData(await this.api.patch(`/v1/commerce/products/${productId}`, body));
  }

  /** Creates a cart with a buyer and a line for each product. */
  async createCart(products: readonly { readonly id: string }[] = [], body: Body = {}) {
    const cart = requireData(
      await this.api.post('/v1/commerce/carts', { buyer: { email: 'Ada@Example.com', name: 'Ada' }, ...body }),
    );
    for (const { id } of products) requireData(await this.addLine(cart.id, { product_id: id }));
    return cart;
  }

  addLine(cartId: string, body: Body): Promise<ApiResponse> {
    return this.api.post(`/v1/commerce/carts/${cartId}/lines`, body);
  }

  checkOut(cartId: string, token = 'tok_ok', headers = {}): Promise<ApiResponse> {
    return this.api.post(`/v1/commerce/carts/${cartId}/checkout`, { payment_method: { token } }, headers);
  }

  /** Creates a completed order of these products. */
  async createOrder(products: readonly { readonly id: string }[], cart: Body = {}) {
    return requireData(await this.checkOut((await this.createCart(products, cart)).id));
  }

  async get(path: string) {
    return requireData(await this.api.get(`/v1/commerce/${path}`));
  }

  /** Reads a resource until it has the state: what the service does by itself gives the reader no token to wait for. */
  readUntil(path: string, hasState: (resource: Resource) => boolean): Promise<Resource> {
    return eventually(() => this.get(path), hasState);
  }

  list(path: string): Promise<ApiResponse> {
    return this.api.get(`/v1/commerce/${path}`);
  }
}
