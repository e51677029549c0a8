import { dataOf, type Api, type Reply } from '../support/api.js';
import type { Service, TestBusiness } from '../support/service.js';

export const KEYS = '/v1/auth/api-keys';
export const WISH = { name: 'Shop', mode: 'live', access: 'full' };
export const FAR = '2126-01-01T00:00:00.000Z';

/** Manages the API keys of a business, as its owner. */
export class Keyring {
  private constructor(
    private readonly service: Service,
    readonly business: TestBusiness,
    readonly owner: Api,
  ) {}

  static async in(service: Service, ownerSubject = 'owner'): Promise<Keyring> {
    const business = await service.business('A business', ownerSubject);
    const owner = service.api(await service.token(ownerSubject)).with({ 'x-service-business-id': business.id });
    return new Keyring(service, business, owner);
  }

  /** Creates a key, and returns it with its secret. */
  async made(wish: object = {}): Promise<Reply['body']> {
    return dataOf(await this.owner.post(KEYS, { ...WISH, ...wish }));
  }

  rotate(id: string, body: object = { overlap_seconds: 0 }, headers = {}): Promise<Reply> {
    return this.owner.post(`${KEYS}/${id}/rotations`, body, headers);
  }

  async shown(id: string): Promise<Reply['body']> {
    return dataOf(await this.owner.get(`${KEYS}/${id}`));
  }

  async listed(): Promise<Reply['body']> {
    return dataOf(await this.owner.get(KEYS));
  }

  /** Returns the caller that the service authenticates by this secret. */
  me(secret: string): Promise<Reply> {
    return this.service.api(secret).get('/v1/auth/me');
  }
}

export function refusalOf({ status, body }: Reply): unknown[] {
  return [status, body.code, body.errors.map(({ param }: { param: string }) => param)];
}
