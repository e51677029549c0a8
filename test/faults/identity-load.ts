import { requireData } from '../support/api.js';
import type { RandomChoices } from './random-choices.js';
import type { RecordingClient } from './recording-client.js';

const BUSINESSES = '/v1/businesses';
const API_KEYS = '/v1/auth/api-keys';

/** The load on businesses and API keys; the load does not use the new keys. */
export class IdentityLoad {
  constructor(
    private readonly customer: RecordingClient,
    private readonly random: RandomChoices,
    /** The session token of the business's owner. */
    private readonly ownerToken: string,
    private readonly businessId: string,
  ) {}

  async createBusiness(): Promise<void> {
    const key = this.random.createMark('business');
    await this.customer.write({
      path: BUSINESSES,
      body: { name: key },
      credential: this.ownerToken,
      key,
      effect: 'BusinessCreated',
    });
  }

  async issueAndRotate(): Promise<void> {
    const name = this.random.createMark('api-key');
    const { id } = await this.writeAsOwner(
      API_KEYS,
      { name, mode: 'test', access: 'read_only' },
      name,
      'ApiKeyCreated',
    );
    await this.writeAsOwner(
      `${API_KEYS}/${id}/rotations`,
      { overlap_seconds: 0 },
      this.random.createMark('key-rotation'),
      'ApiKeyRotated',
    );
  }

  private async writeAsOwner(
    path: string,
    body: object,
    key: string,
    effect: string,
  ): Promise<{ readonly id: string }> {
    const headers = { 'x-service-business-id': this.businessId };
    return requireData((await this.customer.write({ path, body, credential: this.ownerToken, headers, key, effect }))!);
  }
}
