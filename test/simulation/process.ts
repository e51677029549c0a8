import '../../src/features.js';
import type { BeforeApplicationShutdown, OnApplicationShutdown } from '@nestjs/common';
import { communityFeatures } from '../../src/community/community.module.js';
import { Config } from '../../src/config/config.js';
import { Keys } from '../../src/engine/encryption/keys.js';
import { Engine } from '../../src/engine/engine.js';
import { joinFeatures } from '../../src/engine/feature.js';
import { Registry } from '../../src/engine/registry.js';
import { Streams } from '../../src/engine/streams/streams.js';
import { withUpcasting } from '../../src/engine/upcasting-store.js';
import { BusinessOwnership } from '../../src/kernel/business-ownership.js';
import { Clock, Random } from '../../src/kernel/clock.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { Jobs } from '../../src/kernel/jobs.js';
import { Mailer } from '../../src/kernel/mailer.js';
import { ProcessId } from '../../src/kernel/process-id.js';
import { engineRolesFor } from '../../src/startup/engine-roles.js';
import { Destinations } from '../../src/webhooks/delivery/destinations.js';
import { Sender } from '../../src/webhooks/delivery/sender.js';
import { WebhooksModule } from '../../src/webhooks/webhooks.module.js';
import { TEST_KEYS } from '../support/keys.js';
import { FREE_DESTINATIONS } from '../support/memory/free-destinations.js';
import { wireArea } from './area.js';
import { Container } from './container.js';
import { createJarRegistrations } from './jars.js';
import { MachineClock, ProcessLifecycle } from './process-lifecycle.js';
import { SimulatedSender } from './receivers.js';
import { LossyGateway } from './shop/bank.js';
import { wireCommunity } from './shop/community-parts.js';
import { provideShop, wireShop } from './shop/shop-parts.js';
import { NoOwnership, SilentMailer } from './silent-mail.js';
import { StoreConnection } from './store-connection.js';
import type { World } from './world.js';

const USUAL_CLOCK_OFFSET_MS = 200;
const MAX_CLOCK_OFFSET_MS = 3_000;

/** One process with the service's engine and webhooks, its own machine clock and its own connection to the stores. */
export class Process {
  readonly lifecycle: ProcessLifecycle;
  readonly clock: MachineClock;
  readonly isNewer: boolean;
  /** Whether the process was paused at any time. */
  wasPaused = false;
  private readonly container = new Container();
  private serving = false;

  constructor(
    readonly name: string,
    readonly role: Config['role'],
    world: World,
  ) {
    const random = world.random.fork(name);
    this.isNewer = world.isDeployed;
    this.lifecycle = new ProcessLifecycle(name, world.timeline, random);
    const most = world.isFaultless ? USUAL_CLOCK_OFFSET_MS : MAX_CLOCK_OFFSET_MS;
    this.clock = new MachineClock(this.lifecycle, world.passedMs + random.between(-most, most));
    world.stores.provideTo(this.container, new StoreConnection(this.lifecycle, world.network, world.trace), this.clock);
    world.stores.liveness.register(this.lifecycle);
    this.container
      .provide(Clock, this.clock)
      .provide(Random, random.fork('engine'))
      .provide(ProcessId, new ProcessId(name))
      .provide(Keys, TEST_KEYS)
      .provide(Config, world.config)
      .provide(Registry, new Registry())
      .provide(Sender, new SimulatedSender(this.lifecycle, world.receivers, world.sendLog) as unknown as Sender)
      .provide(Destinations, FREE_DESTINATIONS)
      .provide(Mailer, new SilentMailer())
      .provide(BusinessOwnership, new NoOwnership());
    const { upcasters, versions } = this.registry;
    this.container.provide(EventStore, withUpcasting(this.get(EventStore), upcasters, versions));
    if (world.bank !== null)
      provideShop(this.container, new LossyGateway(world.bank, this.lifecycle, random.fork('gateway')));
    this.wire(world);
  }

  readonly get: Container['get'] = (token) => this.container.get(token);

  get takesRequests(): boolean {
    return this.serving && !this.lifecycle.hasEnded;
  }

  get registry(): Registry {
    return this.get(Registry);
  }

  pause(ms: number): void {
    this.wasPaused = true;
    this.lifecycle.pause(ms);
  }

  /** Starts the engine; a process that cannot start ends. */
  start(): void {
    this.get(Engine)
      .start(engineRolesFor(this.role))
      .then(
        () => (this.serving = true),
        () => this.lifecycle.end(),
      );
  }

  /** Shuts the process down in order: work in progress gets some seconds to end. */
  async stop(): Promise<void> {
    this.serving = false;
    await Promise.all([this.close(), this.get(Engine).stop()]);
    this.lifecycle.end();
  }

  /** Closes the modules in the order of the service. */
  private async close(): Promise<void> {
    const parts = this.container.all as readonly Partial<BeforeApplicationShutdown & OnApplicationShutdown>[];
    for (const part of parts) await part.beforeApplicationShutdown?.();
    for (const part of parts) await part.onApplicationShutdown?.();
  }

  private wire(world: World): void {
    this.registry.add({ deciders: joinFeatures(communityFeatures).registrations.deciders });
    wireArea(this.container, WebhooksModule);
    if (world.bank !== null) {
      wireShop(this.container);
      wireCommunity(this.container);
    }
    const [streams, jobs] = [this.get(Streams), this.get(Jobs)];
    const isFixed = () => world.isFixed;
    const counts = {
      onPolished: (key: string) => world.polishedKeys.push(key),
      onSeen: (event: RecordedEvent) => world.seenEvents.push(event),
    };
    this.registry.add(
      createJarRegistrations({ streams, jobs, clock: this.clock, isFixed, isNewer: this.isNewer, ...counts }),
    );
  }
}
