import '../../../src/features.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { ConsistencyContext, type Context } from '../../../src/kernel/context.js';
import { uuidV5 } from '../../../src/kernel/ids.js';
import { CreateEndpoint, CreateEndpointHandler } from '../../../src/webhooks/commands/endpoint.commands.js';
import { type Destination, Destinations } from '../../../src/webhooks/delivery/destinations.js';
import { FirstAttempts } from '../../../src/webhooks/delivery/first-attempts.js';
import { Sender } from '../../../src/webhooks/delivery/sender.js';
import type { AttemptResult } from '../../../src/webhooks/domain/attempt-result.js';
import { deliveryChainDecider } from '../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import type { DeliveryChain, DeliveryChainFacts } from '../../../src/webhooks/domain/delivery-chain/facts.js';
import { deliveryChainIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { endpointDecider, type EndpointStatus } from '../../../src/webhooks/domain/endpoint.js';
import type { EndpointSettings } from '../../../src/webhooks/domain/endpoint-settings.js';
import { type PublicEvent, publicEventDecider } from '../../../src/webhooks/domain/public-event.js';
import { WebhooksModule } from '../../../src/webhooks/webhooks.module.js';
import { wireArea } from '../../simulation/area.js';
import { CHAIN } from '../../webhooks/facts.js';
import { readTestConfig } from '../../webhooks/test-config.js';
import type { Environment } from '../service-process.js';
import { FREE_DESTINATIONS } from './free-destinations.js';
import { MemoryContainer } from './memory-container.js';

const RECEIVER_URL = 'https://receiver.example.com/hook';
const NAMESPACE = '00000000-0000-4000-8000-000000000000';
const EVENT_PAYLOAD = {
  eventId: CHAIN.eventId,
  type: CHAIN.eventType,
  version: '1',
  sequence: 1,
  occurredAt: CHAIN.occurredAt,
  test: false,
  data: {},
  changes: null,
};

/** One process with the engine and the webhooks, on stores in memory, under a clock that the test advances. */
export class WebhooksProcess {
  /** The results of the next attempts, in order; the last one repeats. */
  readonly results: (AttemptResult | Promise<AttemptResult>)[] = [
    { responseStatus: 200, durationMs: 1, retryAfterSeconds: null },
  ];
  /** The ids of the deliveries that were sent. */
  readonly sent: string[] = [];
  /** The URLs to which they were sent. */
  readonly sentTo: string[] = [];
  private commands = 0;

  /** The times of the sends, by the clock. */
  readonly sentAt: number[] = [];

  private constructor(
    private readonly container: MemoryContainer,
    private readonly receiverUrl: string,
  ) {
    const post = ({ url }: Destination, { headers }: { readonly headers: Readonly<Record<string, string>> }) => {
      this.sentTo.push(url);
      this.sent.push(headers['X-Service-Delivery-Id']!);
      this.sentAt.push(this.clock.monotonic());
      return Promise.resolve(this.results.length > 1 ? this.results.shift()! : this.results[0]!);
    };
    container.provide(Sender, { post } as unknown as Sender);
    if (receiverUrl === RECEIVER_URL) container.provide(Destinations, FREE_DESTINATIONS);
    wireArea(container, WebhooksModule);
  }

  /** The limits of hosts apply only to another URL, whose host must be an allowed address. */
  static async create(environment: Environment = {}, receiverUrl = RECEIVER_URL): Promise<WebhooksProcess> {
    return new WebhooksProcess(new MemoryContainer(await readTestConfig(environment)), receiverUrl);
  }

  /** Creates another process on the same stores. */
  createOther(name: string): WebhooksProcess {
    return new WebhooksProcess(this.container.createOther(name), this.receiverUrl);
  }

  readonly get: MemoryContainer['get'] = (token) => this.container.get(token);

  get clock() {
    return this.container.clock;
  }

  get events() {
    return this.container.events;
  }

  get readModels() {
    return this.container.readModels;
  }

  get jobs() {
    return this.container.jobs;
  }

  start(): Promise<void> {
    return this.container.start();
  }

  stop(): Promise<void> {
    return this.container.stop();
  }

  /** Creates the context of a command with a new command id. */
  createContext(): Context {
    const commandId = uuidV5(NAMESPACE, ++this.commands);
    return {
      commandId,
      at: this.clock.now(),
      correlationId: commandId,
      causationId: commandId,
      actor: { type: 'api_key', id: 'key_1' },
      business: CHAIN.businessId,
      mode: 'live',
      requestId: commandId,
      consistency: new ConsistencyContext(),
    };
  }

  async createEndpoint(eventTypes: readonly string[] = ['*']): Promise<string> {
    const settings = {
      url: this.receiverUrl,
      eventTypes,
      description: null,
      rateLimitPerSecond: null,
      notificationEmails: [],
      metadata: {},
    };
    const created = await this.get(CreateEndpointHandler).execute(
      new CreateEndpoint(this.createContext(), { settings, status: 'enabled' }),
    );
    return created.document.id;
  }

  async setStatus(endpointId: string, status: EndpointStatus): Promise<void> {
    await this.edit(endpointId, {}, status);
  }

  async edit(
    endpointId: string,
    changes: Partial<EndpointSettings>,
    status: EndpointStatus | null = null,
  ): Promise<void> {
    const command = { type: 'EditEndpoint', changes, status } as const;
    await this.get(Streams).execute(endpointDecider, endpointId, command, this.createContext());
  }

  /**
   * Records a public event, which the engine delivers to its subscribers. Returns the id of the delivery chain to one
   * endpoint.
   */
  async publish(eventId: string, endpointId: string): Promise<string> {
    const { businessId } = CHAIN;
    const event: PublicEvent = { ...EVENT_PAYLOAD, eventId, businessId, mode: 'live' };
    await this.get(Streams).execute(
      publicEventDecider,
      eventId,
      { type: 'RecordPublicEvent', event },
      this.createContext(),
    );
    return deliveryChainIdOf(EVENT_PAYLOAD.occurredAt, eventId, endpointId);
  }

  /** Starts a delivery chain to an enabled endpoint, as the reactor to public events does. */
  startDelivery(chainId: string, endpointId: string): Promise<void> {
    const facts: DeliveryChainFacts = { ...CHAIN, chainId, endpointId };
    const receiver = { endpointId, url: this.receiverUrl, ratePerSecond: null };
    return this.get(FirstAttempts).planAndStart(
      facts,
      { state: { status: 'enabled', disabledTimes: 0 }, receiver },
      EVENT_PAYLOAD,
      this.createContext(),
    );
  }

  loadDeliveryChain(chainId: string): Promise<DeliveryChain> {
    return this.get(Streams).loadState(deliveryChainDecider, chainId);
  }
}
