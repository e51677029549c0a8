import { dataOf } from '../support/api.js';
import type { Customer } from './customer.js';
import type { Luck } from './luck.js';

const BUSINESSES = '/v1/businesses';
const API_KEYS = '/v1/auth/api-keys';

/** The load on businesses and API keys; the load does not use the new keys. */
export class Identifying {
  constructor(
    private readonly customer: Customer,
    private readonly luck: Luck,
    /** The session token of the business's owner. */
    private readonly ownerToken: string,
    private readonly businessId: string,
  ) {}

  async found(): Promise<void> {
    const key = this.luck.mark('business');
    await this.customer.write({ path: BUSINESSES, body: { name: key }, credential: this.ownerToken, key, effect: 'BusinessCreated' });
  }

  async issueAndRotate(): Promise<void> {
    const name = this.luck.mark('api-key');
    const { id } = await this.asOwner(API_KEYS, { name, mode: 'test', access: 'read_only' }, name, 'ApiKeyCreated');
    await this.asOwner(`${API_KEYS}/${id}/rotations`, { overlap_seconds: 0 }, this.luck.mark('key-rotation'), 'ApiKeyRotated');
  }

  private async asOwner(path: string, body: object, key: string, effect: string): Promise<{ readonly id: string }> {
    const headers = { 'x-service-business-id': this.businessId };
    return dataOf((await this.customer.write({ path, body, credential: this.ownerToken, headers, key, effect }))!);
  }
}
