import { setTimeout as delay } from 'node:timers/promises';
import { Streams } from '../../src/engine/streams/streams.js';
import { identityContext } from '../../src/identity/identity-context.js';
import type { Context } from '../../src/kernel/context.js';
import { chain, type KnownChain } from '../../src/webhooks/domain/chain.js';
import { placeOfDelivery } from '../../src/webhooks/domain/delivery-id.js';
import { dataOf, type Api, type Reply } from '../support/api.js';
import { Receiver } from '../support/receiver.js';
import { startService, type Service, type TestBusiness } from '../support/service.js';
import type { Environment } from '../support/service-process.js';

const PATIENCE_MS = 10_000;
const LOOK_AGAIN_MS = 20;

/** What `occur` publishes. */
export const OCCURRENCE = 'product.review_requested';

let keys = 0;

/** A business with a key, a receiver for its webhooks, and something that occurs. */
export class Desk {
  private readonly others: Service[] = [];

  private constructor(
    readonly service: Service,
    readonly receiver: Receiver,
    readonly business: TestBusiness,
    readonly api: Api,
  ) {}

  static async open(environment: Environment = {}): Promise<Desk> {
    const service = await startService(environment);
    return Desk.in(service, await Receiver.start());
  }

  /** One more business in the same service. */
  static async in(service: Service, receiver: Receiver): Promise<Desk> {
    const business = await service.business();
    return new Desk(service, receiver, business, service.api(await service.key(business)));
  }

  async close(): Promise<void> {
    await this.receiver.stop();
    for (const other of this.others) await other.running.close();
    await this.service.stop();
  }

  /** The same credential in another process on the same stores, which ends with this one. */
  async again(): Promise<Api> {
    const other = await this.service.again();
    this.others.push(other);
    return other.api(await other.key(this.business));
  }

  /** An endpoint at this path of the receiver, with its secret. */
  async endpoint(path: string, body: object = {}): Promise<Reply['body']> {
    return dataOf(await this.api.post('/v1/webhooks/endpoints', { url: this.receiver.url(path), ...body }));
  }

  edit(endpointId: string, body: object): Promise<Reply> {
    return this.api.patch(`/v1/webhooks/endpoints/${endpointId}`, body);
  }

  /** Something of which a public event tells. */
  async occur(name = 'A course'): Promise<Reply['body']> {
    return dataOf(await this.api.post('/v1/commerce/products', { name }));
  }

  test(endpointId: string, headers = freshKey(), body?: object): Promise<Reply> {
    return this.api.post(`/v1/webhooks/endpoints/${endpointId}/test-events`, body, headers);
  }

  rotate(endpointId: string, headers = freshKey()): Promise<Reply> {
    return this.api.post(`/v1/webhooks/endpoints/${endpointId}/secret-rotations`, undefined, headers);
  }

  replay(deliveryId: string, headers = freshKey()): Promise<Reply> {
    return this.api.post(`/v1/webhooks/deliveries/${deliveryId}/replay`, undefined, headers);
  }

  list(query = ''): Promise<Reply> {
    return this.api.get(`/v1/webhooks/deliveries?${query}`);
  }

  /** A command of the business, as a request would bring it. */
  context(): Context {
    return { ...identityContext(Date.now()), business: this.business.id };
  }

  /** The chain of a record, as its own stream tells it. */
  async chainOf(deliveryId: string): Promise<KnownChain> {
    const found = await this.service.get(Streams).state(chain, placeOfDelivery(deliveryId)!.chainId);
    if (found.status === 'unknown') throw new Error(`${deliveryId} is of no chain`);
    return found;
  }

  /** The records that match, oldest first, once they are as they should be. */
  async records(query: string, areThere: (records: readonly Reply['body'][]) => boolean): Promise<Reply['body'][]> {
    return eventually(async () => {
      const records = dataOf(await this.list(query)).reverse();
      return areThere(records) ? records : null;
    });
  }
}

export function freshKey(): { 'idempotency-key': string } {
  return { 'idempotency-key': `key ${++keys}` };
}

/** What `look` answers, as soon as it answers something. */
export async function eventually<T>(look: () => Promise<T | null>, patienceMs = PATIENCE_MS): Promise<T> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await delay(LOOK_AGAIN_MS)) {
    const found = await look();
    if (found !== null) return found;
  }
  throw new Error(`It did not happen within ${patienceMs} ms`);
}

export function refusalOf({ status, body }: Reply): object {
  return { status, code: body.code, params: body.errors.map(({ param }: { param?: string }) => param) };
}
