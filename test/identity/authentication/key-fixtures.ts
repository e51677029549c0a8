import { type Api, type ApiResponse, requireData } from '../../support/api.js';
import type { Service, TestBusiness } from '../../support/service.js';

export const KEYS = '/v1/auth/api-keys';
export const KEY_OPTIONS = { name: 'Shop', mode: 'live', access: 'full' };
export const FAR_FUTURE = '2126-01-01T00:00:00.000Z';

/** Manages the API keys of a business, as its owner. */
export class KeyFixtures {
  private constructor(
    private readonly service: Service,
    readonly business: TestBusiness,
    readonly owner: Api,
  ) {}

  static async create(service: Service, ownerSubject = 'owner'): Promise<KeyFixtures> {
    const business = await service.createBusiness('A business', ownerSubject);
    const owner = service
      .createApi(await service.signToken(ownerSubject))
      .withHeaders({ 'x-service-business-id': business.id });
    return new KeyFixtures(service, business, owner);
  }

  /** Creates a key, and returns it with its secret. */
  async createKey(options: object = {}): Promise<ApiResponse['body']> {
    return requireData(await this.owner.post(KEYS, { ...KEY_OPTIONS, ...options }));
  }

  rotate(id: string, body: object = { overlap_seconds: 0 }, headers = {}): Promise<ApiResponse> {
    return this.owner.post(`${KEYS}/${id}/rotations`, body, headers);
  }

  async retrieve(id: string): Promise<ApiResponse['body']> {
    return requireData(await this.owner.get(`${KEYS}/${id}`));
  }

  async list(): Promise<ApiResponse['body']> {
    return requireData(await this.owner.get(KEYS));
  }

  /** Returns the caller that the service authenticates by this secret. */
  readCaller(secret: string): Promise<ApiResponse> {
    return this.service.createApi(secret).get('/v1/auth/me');
  }
}

export function toErrorSummary({ status, body }: ApiResponse): unknown[] {
  return [status, body.code, body.errors.map(({ param }: { param: string }) => param)];
}
