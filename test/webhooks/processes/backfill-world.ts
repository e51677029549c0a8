import '../../../src/features.js';
import type { Config } from '../../../src/config/config.js';
import { Config as ConfigToken } from '../../../src/config/config.js';
import { Keys } from '../../../src/engine/encryption/keys.js';
import { Engine } from '../../../src/engine/engine.js';
import { Registry } from '../../../src/engine/registry.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { BuildCatalogue } from '../../../src/kernel/build-catalogue.js';
import { Checkpoints } from '../../../src/kernel/checkpoints.js';
import { Clock, Random, toIso } from '../../../src/kernel/clock.js';
import { ConsistencyContext, type Context } from '../../../src/kernel/context.js';
import type { RecordedOf } from '../../../src/kernel/event.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { uuidV5 } from '../../../src/kernel/ids.js';
import { Jobs } from '../../../src/kernel/jobs.js';
import { Leases } from '../../../src/kernel/leases.js';
import { ProcessId } from '../../../src/kernel/process-id.js';
import { ReadModels } from '../../../src/kernel/read-models.js';
import { Vault } from '../../../src/kernel/vault.js';
import { CreateEndpoint, CreateEndpointHandler } from '../../../src/webhooks/commands/endpoint.commands.js';
import { RequestReplayJob, RequestReplayJobHandler } from '../../../src/webhooks/commands/replay-job.commands.js';
import { Destinations } from '../../../src/webhooks/delivery/destinations.js';
import { Sender } from '../../../src/webhooks/delivery/sender.js';
import { type EndpointCommand, endpointDecider } from '../../../src/webhooks/domain/endpoint.js';
import {
  type PublicEvent,
  publicEventDecider,
  type PublicEventFact,
} from '../../../src/webhooks/domain/public-event.js';
import { replayJobDecider } from '../../../src/webhooks/domain/replay-job.js';
import { WebhooksModule } from '../../../src/webhooks/webhooks.module.js';
import { wireArea } from '../../simulation/area.js';
import { Container } from '../../simulation/container.js';
import { ManualClock, SeededRandom } from '../../support/clock.js';
import { TEST_KEYS } from '../../support/keys.js';
import { CrashableProcess } from '../../support/memory/crashable-process.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';
import { FREE_DESTINATIONS } from '../../support/memory/free-destinations.js';
import { MemoryJobs } from '../../support/memory/jobs.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';
import { MemoryVault } from '../../support/memory/vault.js';

const NAMESPACE = '00000000-0000-4000-8000-000000000000';
const SEND_MS = 20;
export const BUSINESS = 'biz_1';

/** Stores in memory, and one process after another that works on them. Each can be killed between any two calls. */
export class BackfillWorld {
  readonly clock = new ManualClock();
  readonly events = new MemoryEventStore(this.clock);
  private readonly readModels = new MemoryReadModels(this.clock);
  private readonly jobs = new MemoryJobs(this.clock);
  private readonly vault = new MemoryVault();
  private lives = 0;
  private commands = 0;
  private process!: Container;
  private lifecycle!: CrashableProcess;

  constructor(
    private readonly config: Config,
    private readonly seed: number,
  ) {}

  async start(): Promise<void> {
    const holder = `process-${++this.lives}`;
    this.lifecycle = new CrashableProcess(this.clock, new SeededRandom(this.seed + this.lives));
    const { clock, lifecycle } = this;
    const readModels = lifecycle.wrap(this.readModels);
    const post = async () => {
      await clock.sleep(SEND_MS);
      return { responseStatus: 200, durationMs: SEND_MS, retryAfterSeconds: null };
    };
    this.process = new Container()
      .provide(Clock, clock)
      .provide(Random, new SeededRandom(this.seed + this.lives))
      .provide(ProcessId, new ProcessId(holder))
      .provide(Keys, TEST_KEYS)
      .provide(ConfigToken, this.config)
      .provide(Registry, new Registry())
      .provide(EventStore, lifecycle.wrap(this.events as EventStore))
      .provide(ReadModels, readModels)
      .provide(Checkpoints, readModels)
      .provide(Leases, readModels)
      .provide(BuildCatalogue, readModels)
      .provide(Jobs, lifecycle.wrap(this.jobs as Jobs))
      .provide(Vault, this.vault)
      .provide(Sender, { post } as unknown as Sender)
      .provide(Destinations, FREE_DESTINATIONS);
    wireArea(this.process, WebhooksModule);
    await this.advanceUntil(this.process.get(Engine).start(), 60_000);
  }

  /** Ends the process as by kill −9, and starts the next one. */
  async kill(): Promise<void> {
    this.lifecycle.crash();
    await this.start();
  }

  async stop(): Promise<void> {
    await this.advanceUntil(this.process.get(Engine).stop(), 60_000);
  }

  publish(type: string, more: Partial<PublicEvent> = {}): Promise<unknown> {
    const eventId = `evt_${++this.commands}`;
    const occurredAt = toIso(this.clock.now());
    const base = { eventId, type, version: '1', occurredAt, sequence: 1, businessId: BUSINESS, mode: 'live', data: {} };
    const event = { ...base, ...more } as PublicEvent;
    const command = { type: 'RecordPublicEvent', event } as const;
    return this.run(this.process.get(Streams).execute(publicEventDecider, eventId, command, this.createContext()));
  }

  async createEndpoint(eventTypes: readonly string[]): Promise<string> {
    const url = 'https://receiver.example.com/hook';
    const settings = {
      url,
      eventTypes,
      description: null,
      rateLimitPerSecond: null,
      metadata: {},
      notificationEmails: [],
    };
    const command = new CreateEndpoint(this.createContext(), { settings, status: 'enabled' });
    return (await this.run(this.process.get(CreateEndpointHandler).execute(command))).document.id;
  }

  edit(endpointId: string, command: EndpointCommand): Promise<unknown> {
    return this.run(this.process.get(Streams).execute(endpointDecider, endpointId, command, this.createContext()));
  }

  async backfill(endpointId: string): Promise<string> {
    const [createdFrom, createdTo] = [toIso(0), toIso(this.clock.now())];
    const window = { createdFrom, createdTo, endpointId, eventTypes: [], statuses: [], includeMissed: false };
    const command = new RequestReplayJob(this.createContext(), { scope: 'never_planned', ...window });
    return (await this.run(this.process.get(RequestReplayJobHandler).execute(command))).id;
  }

  cancel(replayJobId: string): Promise<unknown> {
    const command = { type: 'CancelReplayJob' } as const;
    return this.run(this.process.get(Streams).execute(replayJobDecider, replayJobId, command, this.createContext()));
  }

  async statusOf(replayJobId: string): Promise<string> {
    return (await this.run(this.process.get(Streams).loadState(replayJobDecider, replayJobId))).status;
  }

  listPublicEvents(): readonly PublicEvent[] {
    const recorded = this.events.log.filter(({ type }) => type === 'PublicEventRecorded');
    return (recorded as RecordedOf<PublicEventFact>[]).map(({ data }) => data);
  }

  /** Advances the clock until the work has ended, since each call of a store takes some time. */
  private async run<T>(work: Promise<T>): Promise<T> {
    return this.advanceUntil(work, 30_000);
  }

  private async advanceUntil<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
    let isOpen = true;
    const ended = work.finally(() => (isOpen = false));
    ended.catch(() => undefined);
    for (let waited = 0; isOpen && waited < timeoutMs; waited += 10) await this.clock.advance(10);
    if (isOpen) throw new Error('the work has not ended');
    return ended;
  }

  private createContext(): Context {
    const commandId = uuidV5(NAMESPACE, `command ${++this.commands}`);
    return {
      commandId,
      at: this.clock.now(),
      correlationId: commandId,
      causationId: commandId,
      actor: { type: 'api_key', id: 'key_1' },
      business: BUSINESS,
      mode: 'live',
      requestId: commandId,
      consistency: new ConsistencyContext(),
    };
  }
}
