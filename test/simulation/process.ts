import type { BeforeApplicationShutdown, OnApplicationShutdown } from '@nestjs/common';
import { communityDeciders } from '../../src/community/domain/deciders.js';
import { Config } from '../../src/config.js';
import { Engine } from '../../src/engine/engine.js';
import { Holder } from '../../src/kernel/holder.js';
import { Keys } from '../../src/engine/sealing/keys.js';
import { Registry } from '../../src/engine/registry.js';
import { upcasting } from '../../src/engine/upcasting-store.js';
import { Streams } from '../../src/engine/streams/streams.js';
import { Clock, Random } from '../../src/kernel/clock.js';
import type { Recorded } from '../../src/kernel/event.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { Jobs } from '../../src/kernel/jobs.js';
import { partsOf } from '../../src/roles.js';
import { Sender } from '../../src/webhooks/sending/sender.js';
import { WebhooksModule } from '../../src/webhooks/webhooks.module.js';
import { TEST_KEYS } from '../support/keys.js';
import { Assembly } from './assembly.js';
import { jarWiring } from './jars.js';
import { Life, MachineClock } from './life.js';
import { Line } from './line.js';
import { SimulatedSender } from './receivers.js';
import type { World } from './world.js';

const USUALLY_AHEAD_MS = 200;
const MOST_AHEAD_MS = 3_000;

/** One process with the service's engine and webhooks, its own machine clock and its own connection to the stores. */
export class Process {
  readonly life: Life;
  readonly clock: MachineClock;
  readonly isNewer: boolean;
  /** Whether the process was paused at any time. */
  hasStoodStill = false;
  private readonly parts = new Assembly();
  private serving = false;

  constructor(
    readonly name: string,
    readonly role: Config['role'],
    world: World,
  ) {
    const luck = world.luck.fork(name);
    this.isNewer = world.isDeployed;
    this.life = new Life(name, world.timeline, luck);
    const most = world.calm ? USUALLY_AHEAD_MS : MOST_AHEAD_MS;
    this.clock = new MachineClock(this.life, luck.between(-most, most));
    world.stores.provideTo(this.parts, new Line(this.life, world.network, world.trace), this.clock);
    world.stores.liveness.began(this.life);
    this.parts
      .provide(Clock, this.clock)
      .provide(Random, luck.fork('engine'))
      .provide(Holder, new Holder(name))
      .provide(Keys, TEST_KEYS)
      .provide(Config, world.config)
      .provide(Registry, new Registry())
      .provide(Sender, new SimulatedSender(this.life, world.receivers, world.sends) as unknown as Sender);
    const { upcasters, versions } = this.registry;
    this.parts.provide(EventStore, upcasting(this.get(EventStore), upcasters, versions));
    this.wire(world);
  }

  readonly get: Assembly['get'] = (token) => this.parts.get(token);

  get takesRequests(): boolean {
    return this.serving && !this.life.over;
  }

  get registry(): Registry {
    return this.get(Registry);
  }

  standStill(ms: number): void {
    this.hasStoodStill = true;
    this.life.standStill(ms);
  }

  /** Starts the engine; a process that cannot start ends. */
  start(): void {
    this.get(Engine)
      .start(partsOf(this.role))
      .then(
        () => (this.serving = true),
        () => this.life.end(),
      );
  }

  /** Shuts the process down in order: work in progress gets some seconds to end. */
  async stop(): Promise<void> {
    this.serving = false;
    await Promise.all([this.close(), this.get(Engine).stop()]);
    this.life.end();
  }

  /** Closes the modules in the order of the service. */
  private async close(): Promise<void> {
    const parts = this.parts.all as readonly Partial<BeforeApplicationShutdown & OnApplicationShutdown>[];
    for (const part of parts) await part.beforeApplicationShutdown?.();
    for (const part of parts) await part.onApplicationShutdown?.();
  }

  private wire(world: World): void {
    this.registry.add({ deciders: communityDeciders });
    this.get(WebhooksModule);
    const [streams, jobs] = [this.get(Streams), this.get(Jobs)];
    const isMended = () => world.isMended;
    const told = { polished: (key: string) => world.polished.push(key), seen: (event: Recorded) => world.seen.push(event) };
    this.registry.add(jarWiring({ streams, jobs, clock: this.clock, isMended, isNewer: this.isNewer, ...told }));
  }
}
