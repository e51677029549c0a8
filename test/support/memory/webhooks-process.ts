import { Config } from '../../../src/config.js';
import { Keys } from '../../../src/engine/encryption/keys.js';
import { Engine } from '../../../src/engine/engine.js';
import { Registry } from '../../../src/engine/registry.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { BuildCatalogue } from '../../../src/kernel/build-catalogue.js';
import { Checkpoints } from '../../../src/kernel/checkpoints.js';
import { Clock, Random } from '../../../src/kernel/clock.js';
import { ConsistencyContext, type Context } from '../../../src/kernel/context.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { uuidV5 } from '../../../src/kernel/ids.js';
import { Jobs } from '../../../src/kernel/jobs.js';
import { Leases } from '../../../src/kernel/leases.js';
import { ProcessId } from '../../../src/kernel/process-id.js';
import { ReadModels } from '../../../src/kernel/read-models.js';
import { Vault } from '../../../src/kernel/vault.js';
import { CreateEndpoint, CreateEndpointHandler } from '../../../src/webhooks/commands/endpoint.commands.js';
import { FirstAttempts } from '../../../src/webhooks/delivery/first-attempts.js';
import { Sender } from '../../../src/webhooks/delivery/sender.js';
import type { AttemptResult } from '../../../src/webhooks/domain/attempt-result.js';
import { deliveryChainDecider } from '../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import type { DeliveryChain, DeliveryChainFacts } from '../../../src/webhooks/domain/delivery-chain/facts.js';
import { chainIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { endpointDecider, type EndpointStatus } from '../../../src/webhooks/domain/endpoint.js';
import { type PublicEvent, publicEventDecider } from '../../../src/webhooks/domain/public-event.js';
import { WebhooksModule } from '../../../src/webhooks/webhooks.module.js';
import { Container } from '../../simulation/container.js';
import { CHAIN } from '../../webhooks/facts.js';
import { readTestConfig } from '../../webhooks/test-config.js';
import { ManualClock, SeededRandom } from '../clock.js';
import { TEST_KEYS } from '../keys.js';
import type { Environment } from '../service-process.js';
import { MemoryEventStore } from './event-store.js';
import { MemoryJobs } from './jobs.js';
import { MemoryReadModels } from './read-models.js';
import { MemoryVault } from './vault.js';

const NAMESPACE = '00000000-0000-4000-8000-000000000000';
const EVENT_PAYLOAD = {
  eventId: CHAIN.eventId,
  type: CHAIN.eventType,
  version: '1',
  occurredAt: CHAIN.occurredAt,
  test: false,
  data: {},
};

/** One process with the engine and the webhooks, on stores in memory, under a clock that the test advances. */
export class WebhooksProcess {
  readonly clock = new ManualClock();
  readonly events = new MemoryEventStore(this.clock);
  readonly readModels = new MemoryReadModels(this.clock);
  readonly jobs = new MemoryJobs(this.clock);
  /** The results of the next attempts, in order; the last one repeats. */
  readonly results: (AttemptResult | Promise<AttemptResult>)[] = [
    { responseStatus: 200, durationMs: 1, retryAfterSeconds: null },
  ];
  /** The ids of the deliveries that were sent. */
  readonly sent: string[] = [];
  private readonly container = new Container();
  private commands = 0;

  private constructor(config: Config) {
    const post = (_: string, { headers }: { readonly headers: Readonly<Record<string, string>> }) => {
      this.sent.push(headers['X-Service-Delivery-Id']!);
      return Promise.resolve(this.results.length > 1 ? this.results.shift()! : this.results[0]!);
    };
    this.container
      .provide(Clock, this.clock)
      .provide(Random, new SeededRandom())
      .provide(ProcessId, new ProcessId('process-1'))
      .provide(Keys, TEST_KEYS)
      .provide(Config, config)
      .provide(Registry, new Registry())
      .provide(EventStore, this.events)
      .provide(ReadModels, this.readModels)
      .provide(Checkpoints, this.readModels)
      .provide(Leases, this.readModels)
      .provide(BuildCatalogue, this.readModels)
      .provide(Jobs, this.jobs)
      .provide(Vault, new MemoryVault())
      .provide(Sender, { post } as unknown as Sender);
    this.get(WebhooksModule);
  }

  static async create(environment: Environment = {}): Promise<WebhooksProcess> {
    return new WebhooksProcess(await readTestConfig(environment));
  }

  readonly get: Container['get'] = (token) => this.container.get(token);

  async start(): Promise<void> {
    const started = this.get(Engine).start();
    await this.clock.advance(1_000);
    await started;
  }

  async stop(): Promise<void> {
    const stopped = this.get(Engine).stop();
    await this.clock.advance(10_000);
    await stopped;
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
      url: 'https://receiver.example.com/hook',
      eventTypes,
      description: null,
      rateLimitPerSecond: null,
      metadata: {},
    };
    const created = await this.get(CreateEndpointHandler).execute(
      new CreateEndpoint(this.createContext(), { settings, status: 'enabled' }),
    );
    return created.document.id;
  }

  async setStatus(endpointId: string, status: EndpointStatus): Promise<void> {
    const command = { type: 'EditEndpoint', changes: {}, status } as const;
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
    return chainIdOf(EVENT_PAYLOAD.occurredAt, eventId, endpointId);
  }

  /** Starts a delivery chain to an enabled endpoint, as the reactor to public events does. */
  startDelivery(chainId: string, endpointId: string): Promise<void> {
    const facts: DeliveryChainFacts = { ...CHAIN, chainId, endpointId };
    return this.get(FirstAttempts).planAndStart(
      facts,
      { status: 'enabled', disabledTimes: 0 },
      EVENT_PAYLOAD,
      this.createContext(),
    );
  }

  loadDeliveryChain(chainId: string): Promise<DeliveryChain> {
    return this.get(Streams).loadState(deliveryChainDecider, chainId);
  }
}
