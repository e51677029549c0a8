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

/** The type of the event that `publish` publishes. */
export const OCCURRENCE = 'product.review_requested';

let keys = 0;

/** A business with an API key and a receiver for its webhooks. */
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

  /** Adds another business to the same service. */
  static async in(service: Service, receiver: Receiver): Promise<Desk> {
    const business = await service.business();
    return new Desk(service, receiver, business, service.api(await service.key(business)));
  }

  async close(): Promise<void> {
    await this.receiver.stop();
    for (const other of this.others) await other.running.close();
    await this.service.stop();
  }

  /** Starts another process on the same stores, which `close` stops. Returns its API with the same credential. */
  async again(): Promise<Api> {
    const other = await this.service.again();
    this.others.push(other);
    return other.api(await other.key(this.business));
  }

  /** Creates an endpoint at this path of the receiver. Returns it with its secret. */
  async endpoint(path: string, body: object = {}): Promise<Reply['body']> {
    return dataOf(await this.api.post('/v1/webhooks/endpoints', { url: this.receiver.url(path), ...body }));
  }

  edit(endpointId: string, body: object): Promise<Reply> {
    return this.api.patch(`/v1/webhooks/endpoints/${endpointId}`, body);
  }

  /** Creates a product, which publishes an event. */
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

  /** Returns the context of a request of the business. */
  context(): Context {
    return { ...identityContext(Date.now()), business: this.business.id };
  }

  /** Returns the chain of a delivery, read from its stream. */
  async chainOf(deliveryId: string): Promise<KnownChain> {
    const found = await this.service.get(Streams).state(chain, placeOfDelivery(deliveryId)!.chainId);
    if (found.status === 'unknown') throw new Error(`${deliveryId} has no chain`);
    return found;
  }

  /** Waits until the matching records are complete. Returns them, oldest first. */
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

/** Polls until the result is not null, and returns the result. */
export async function eventually<T>(look: () => Promise<T | null>, patienceMs = PATIENCE_MS): Promise<T> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await delay(LOOK_AGAIN_MS)) {
    const found = await look();
    if (found !== null) return found;
  }
  throw new Error(`No result within ${patienceMs} ms`);
}

export function refusalOf({ status, body }: Reply): object {
  return { status, code: body.code, params: body.errors.map(({ param }: { param?: string }) => param) };
}
