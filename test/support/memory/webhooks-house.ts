import { Config } from '../../../src/config.js';
import { Engine } from '../../../src/engine/engine.js';
import { Registry } from '../../../src/engine/registry.js';
import { Keys } from '../../../src/engine/sealing/keys.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { Clock, Random } from '../../../src/kernel/clock.js';
import { Progress, type Context } from '../../../src/kernel/context.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { Holder } from '../../../src/kernel/holder.js';
import { uuidV5 } from '../../../src/kernel/ids.js';
import { Jobs } from '../../../src/kernel/jobs.js';
import { ReadModels } from '../../../src/kernel/read-models.js';
import { Vault } from '../../../src/kernel/vault.js';
import { CreateEndpoint, CreateEndpointHandler } from '../../../src/webhooks/commands/endpoint.commands.js';
import type { Answer } from '../../../src/webhooks/domain/answer.js';
import { chain, type Chain, type ChainFacts } from '../../../src/webhooks/domain/chain.js';
import { endpoint, type EndpointStatus } from '../../../src/webhooks/domain/endpoint.js';
import { chainIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { publicEvent, type PublicEvent } from '../../../src/webhooks/domain/public-event.js';
import { FirstAttempts } from '../../../src/webhooks/sending/first-attempts.js';
import { Sender } from '../../../src/webhooks/sending/sender.js';
import { WebhooksModule } from '../../../src/webhooks/webhooks.module.js';
import { Assembly } from '../../simulation/assembly.js';
import { configOf } from '../../webhooks/config.js';
import { CHAIN } from '../../webhooks/facts.js';
import { ManualClock, SeededRandom } from '../clock.js';
import { TEST_KEYS } from '../keys.js';
import type { Environment } from '../service-process.js';
import { MemoryEventStore } from './event-store.js';
import { MemoryJobs } from './jobs.js';
import { MemoryReadModels } from './read-models.js';
import { MemoryVault } from './vault.js';

const NAMESPACE = '00000000-0000-4000-8000-000000000000';
const TELLING = { eventId: CHAIN.eventId, type: CHAIN.eventType, version: '1', occurredAt: CHAIN.occurredAt, test: false, data: {} };

/** One process with the engine and the webhooks, on stores in memory, under a clock that the test advances. */
export class WebhooksHouse {
  readonly clock = new ManualClock();
  readonly events = new MemoryEventStore(this.clock);
  readonly readModels = new MemoryReadModels(this.clock);
  readonly jobs = new MemoryJobs(this.clock);
  /** The results of the next attempts, in order; the last one repeats. */
  readonly answers: (Answer | Promise<Answer>)[] = [{ responseStatus: 200, durationMs: 1, retryAfterSeconds: null }];
  /** The ids of the deliveries that were sent. */
  readonly sent: string[] = [];
  private readonly parts = new Assembly();
  private commands = 0;

  private constructor(config: Config) {
    const post = (_: string, { headers }: { readonly headers: Readonly<Record<string, string>> }) => {
      this.sent.push(headers['X-Service-Delivery-Id']!);
      return Promise.resolve(this.answers.length > 1 ? this.answers.shift()! : this.answers[0]!);
    };
    this.parts
      .provide(Clock, this.clock)
      .provide(Random, new SeededRandom())
      .provide(Holder, new Holder('process-1'))
      .provide(Keys, TEST_KEYS)
      .provide(Config, config)
      .provide(Registry, new Registry())
      .provide(EventStore, this.events)
      .provide(ReadModels, this.readModels)
      .provide(Jobs, this.jobs)
      .provide(Vault, new MemoryVault())
      .provide(Sender, { post } as unknown as Sender);
    this.get(WebhooksModule);
  }

  static async of(environment: Environment = {}): Promise<WebhooksHouse> {
    return new WebhooksHouse(await configOf(environment));
  }

  readonly get: Assembly['get'] = (token) => this.parts.get(token);

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
  context(): Context {
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
      progress: new Progress(),
    };
  }

  async endpoint(eventTypes: readonly string[] = ['*']): Promise<string> {
    const settings = { url: 'https://receiver.example.com/hook', eventTypes, description: null, rateLimitPerSecond: null, metadata: {} };
    const created = await this.get(CreateEndpointHandler).execute(new CreateEndpoint(this.context(), settings, 'enabled'));
    return created.document.id;
  }

  async turn(endpointId: string, status: EndpointStatus): Promise<void> {
    const command = { type: 'EditEndpoint', changes: {}, status } as const;
    await this.get(Streams).execute(endpoint, endpointId, command, this.context());
  }

  /**
   * Records a public event, which the engine delivers to its subscribers. Returns the id of the delivery chain to one
   * endpoint.
   */
  async publish(eventId: string, endpointId: string): Promise<string> {
    const { businessId } = CHAIN;
    const event: PublicEvent = { ...TELLING, eventId, businessId, mode: 'live' };
    await this.get(Streams).execute(publicEvent, eventId, { type: 'RecordPublicEvent', event }, this.context());
    return chainIdOf(TELLING.occurredAt, eventId, endpointId);
  }

  /** Starts a delivery chain to an enabled endpoint, as the reactor to public events does. */
  begin(chainId: string, endpointId: string): Promise<void> {
    const facts: ChainFacts = { ...CHAIN, chainId, endpointId };
    return this.get(FirstAttempts).begin(facts, { status: 'enabled', disabledTimes: 0 }, TELLING, this.context());
  }

  chain(chainId: string): Promise<Chain> {
    return this.get(Streams).state(chain, chainId);
  }
}
