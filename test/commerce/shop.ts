import { dataOf, type Api, type Reply } from '../support/api.js';
import { startService, type Service } from '../support/service.js';
import type { Environment } from '../support/service-process.js';

export const MONTHLY = { kind: 'subscription', amount_cents: 4900, currency: 'EUR', interval: 'month', name: 'Monthly' };
export const ONCE = { kind: 'one_time', amount_cents: 2500, currency: 'EUR' };

type Body = Record<string, unknown>;

/** A selling business with its API key and a reviewer. */
export class Shop {
  private constructor(
    readonly service: Service,
    readonly businessId: string,
    readonly api: Api,
    readonly reviewer: Api,
  ) {}

  static async open(environment: Environment = {}): Promise<Shop> {
    return Shop.in(await startService(environment));
  }

  /** Creates another business in the same service. */
  static async in(service: Service, mode: 'live' | 'test' = 'live'): Promise<Shop> {
    const business = await service.business();
    const api = service.api(await service.key(business, { mode }));
    return new Shop(service, business.id, api, service.api(await service.token('reviewer', { reviewer: true })));
  }

  async product(body: Body = {}) {
    return dataOf(await this.api.post('/v1/commerce/products', { name: 'A course', plans: [ONCE], ...body }));
  }

  async approved(body: Body = {}) {
    return this.approve((await this.product(body)).id);
  }

  async approve(productId: string) {
    return dataOf(await this.reviewer.post(`/v1/commerce/products/${productId}/approve`));
  }

  async deny(productId: string, reason = 'Not this.') {
    return dataOf(await this.reviewer.post(`/v1/commerce/products/${productId}/deny`, { reason }));
  }

  async edit(productId: string, body: Body) {
    return dataOf(await this.api.patch(`/v1/commerce/products/${productId}`, body));
  }

  /** Creates a cart with a buyer and a line for each product. */
  async cart(products: readonly { readonly id: string }[] = [], body: Body = {}) {
    const cart = dataOf(await this.api.post('/v1/commerce/carts', { buyer: { email: 'Ada@Example.com', name: 'Ada' }, ...body }));
    for (const { id } of products) dataOf(await this.addLine(cart.id, { product_id: id }));
    return cart;
  }

  addLine(cartId: string, body: Body): Promise<Reply> {
    return this.api.post(`/v1/commerce/carts/${cartId}/lines`, body);
  }

  checkOut(cartId: string, token = 'tok_ok', headers = {}): Promise<Reply> {
    return this.api.post(`/v1/commerce/carts/${cartId}/checkout`, { payment_method: { token } }, headers);
  }

  /** Creates a completed order of these products. */
  async order(products: readonly { readonly id: string }[], cart: Body = {}) {
    return dataOf(await this.checkOut((await this.cart(products, cart)).id));
  }

  async get(path: string) {
    return dataOf(await this.api.get(`/v1/commerce/${path}`));
  }

  list(path: string): Promise<Reply> {
    return this.api.get(`/v1/commerce/${path}`);
  }
}
