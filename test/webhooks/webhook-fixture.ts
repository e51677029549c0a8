import { setTimeout as delay } from 'node:timers/promises';
import { Streams } from '../../src/engine/streams/streams.js';
import { createSystemContext } from '../../src/identity/system-context.js';
import type { Context } from '../../src/kernel/context.js';
import { deliveryChainDecider } from '../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import type { KnownDeliveryChain } from '../../src/webhooks/domain/delivery-chain/facts.js';
import { parseDeliveryId } from '../../src/webhooks/domain/delivery-id.js';
import { type Api, type ApiResponse, requireData } from '../support/api.js';
import { Receiver } from '../support/receiver.js';
import { type Service, startService, type TestBusiness } from '../support/service.js';
import type { Environment } from '../support/service-process.js';

const TIMEOUT_MS = 30_000;
const POLL_INTERVAL_MS = 20;

/** The type of the event that `publish` publishes. */
export const PUBLISHED_TYPE = 'product.review_requested';

let keys = 0;

/** A business with an API key and a receiver for its webhooks. */
export class WebhookFixture {
  private readonly others: Service[] = [];

  private constructor(
    readonly service: Service,
    readonly receiver: Receiver,
    readonly business: TestBusiness,
    readonly api: Api,
  ) {}

  static async start(environment: Environment = {}): Promise<WebhookFixture> {
    const service = await startService(environment);
    return WebhookFixture.addBusiness(service, await Receiver.start());
  }

  /** Adds another business to the same service. */
  static async addBusiness(service: Service, receiver: Receiver, ownerSubject?: string): Promise<WebhookFixture> {
    const business = await service.createBusiness('A business', ownerSubject);
    return new WebhookFixture(service, receiver, business, service.createApi(await service.createKey(business)));
  }

  async close(): Promise<void> {
    await this.receiver.stop();
    for (const other of this.others) await other.running.close();
    await this.service.stop();
  }

  /** Starts another process on the same stores, which `close` stops. Returns its API with the same credential. */
  async startAnotherProcess(): Promise<Api> {
    const other = await this.service.startAnother();
    this.others.push(other);
    return other.createApi(await other.createKey(this.business));
  }

  /** Creates an endpoint at this path of the receiver. Returns it with its secret. */
  async createEndpoint(path: string, body: object = {}): Promise<ApiResponse['body']> {
    return requireData(await this.api.post('/v1/webhooks/endpoints', { url: this.receiver.url(path), ...body }));
  }

  editEndpoint(endpointId: string, body: object): Promise<ApiResponse> {
    return this.api.patch(`/v1/webhooks/endpoints/${endpointId}`, body);
  }

  /** Creates a product, which publishes an event. */
  async publish(name = 'A course'): Promise<ApiResponse['body']> {
    return requireData(await this.api.post('/v1/commerce/products', { name }));
  }

  sendTestEvent(endpointId: string, headers = newIdempotencyKey(), body?: object): Promise<ApiResponse> {
    return this.api.post(`/v1/webhooks/endpoints/${endpointId}/test-events`, body, headers);
  }

  rotateSecret(endpointId: string, headers = newIdempotencyKey()): Promise<ApiResponse> {
    return this.api.post(`/v1/webhooks/endpoints/${endpointId}/secret-rotations`, undefined, headers);
  }

  replayDelivery(deliveryId: string, headers = newIdempotencyKey()): Promise<ApiResponse> {
    return this.api.post(`/v1/webhooks/deliveries/${deliveryId}/replay`, undefined, headers);
  }

  listDeliveries(query = ''): Promise<ApiResponse> {
    return this.api.get(`/v1/webhooks/deliveries?${query}`);
  }

  /** Returns the context of a request of the business. */
  createContext(): Context {
    return { ...createSystemContext(Date.now()), business: this.business.id };
  }

  /** Returns the chain of a delivery, read from its stream. */
  async readChain(deliveryId: string): Promise<KnownDeliveryChain> {
    const found = await this.service.get(Streams).loadState(deliveryChainDecider, parseDeliveryId(deliveryId)!.chainId);
    if (found.status === 'unknown') throw new Error(`${deliveryId} has no chain`);
    return found;
  }

  /** Waits until the matching records are complete. Returns them, oldest first. */
  async waitForRecords(
    query: string,
    isComplete: (records: readonly ApiResponse['body'][]) => boolean,
  ): Promise<ApiResponse['body'][]> {
    return waitFor(async () => {
      const records = requireData(await this.listDeliveries(query)).reverse();
      return isComplete(records) ? records : null;
    });
  }
}

export function newIdempotencyKey(): { 'idempotency-key': string } {
  return { 'idempotency-key': `key ${++keys}` };
}

/** Polls until the result is not null, and returns the result. */
export async function waitFor<T>(
  poll: () => Promise<T | null>,
  timeoutMs = TIMEOUT_MS,
  intervalMs = POLL_INTERVAL_MS,
): Promise<T> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await delay(intervalMs)) {
    const found = await poll();
    if (found !== null) return found;
  }
  throw new Error(`No result within ${timeoutMs} ms`);
}

export function toProblem({ status, body }: ApiResponse): object {
  return { status, code: body.code, params: body.errors.map(({ param }: { param?: string }) => param) };
}
