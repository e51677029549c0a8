import type { Config } from '../../src/config.js';
import { withoutSkipped } from '../../src/engine/projecting/skips.js';
import type { Registry } from '../../src/engine/registry.js';
import type { Projection } from '../../src/kernel/projection.js';
import { AlongTheWay } from './along-the-way.js';
import { Leadership } from './cluster/leadership.js';
import { fussyJars, isFussy } from './fussy-jars.js';
import { newerJars } from './newer-jar.js';
import { Glances } from './glances.js';
import type { Recorded } from '../../src/kernel/event.js';
import { Life, MachineClock } from './life.js';
import { Luck } from './luck.js';
import { Network } from './network.js';
import { Process } from './process.js';
import { Receivers, Sends } from './receivers.js';
import { SharedStores } from './stores.js';
import { Timeline } from './timeline.js';
import { Trace } from './trace.js';

type Role = Config['role'];

const CALM_DAYS = 0.1;
/** Whatever the ended processes have sent has arrived by then. */
const RESTORE_MS = 13_000;
const CLUSTERS = 0.35;

/** Of the third process; the others do everything. */
const ROLES: readonly Role[] = ['all', 'all', 'api', 'projector', 'dispatcher'];

/** Everything that a seed decides. */
export class World {
  readonly timeline = new Timeline();
  readonly trace = new Trace(this.timeline);
  readonly luck: Luck;
  readonly network: Network;
  readonly receivers: Receivers;
  readonly stores: SharedStores;
  readonly storesClock: MachineClock;
  /** Nothing goes wrong but at the receivers. */
  readonly calm: boolean;
  /** Jobs of the jars, each time that they were run. */
  readonly polished: string[] = [];
  /** Events in the order in which a reactor got them, some of them more than once. */
  readonly seen: Recorded[] = [];
  /** A build was taken away: who read it goes over to another at once, even to one that is behind. */
  hasDropped = false;
  /** The code folds what it could not fold at first. */
  isMended = false;
  /** Calls were lost or slow, a store was away, or leases ended before their time. */
  isDisturbed = false;
  /** Processes that begin run newer code. */
  isDeployed = false;
  /** No process runs until a copy is brought back. */
  isDown = false;
  readonly sends = new Sends();
  readonly glances = new Glances(this);
  /** Of the log's cluster, where it has one. */
  readonly leadership: Leadership | null;
  private readonly processes: Process[] = [];
  private born = 0;

  constructor(
    seed: number,
    readonly config: Config,
  ) {
    this.luck = new Luck(seed);
    this.calm = this.luck.chance(CALM_DAYS);
    this.network = new Network(this.timeline, this.luck.fork('network'));
    this.receivers = new Receivers(this.timeline, this.luck.fork('receivers'), this.trace);
    const machine = new Life('stores', this.timeline, this.luck.fork('stores'));
    this.storesClock = new MachineClock(machine);
    const watch = new AlongTheWay({
      now: () => this.timeline.now,
      isUndisturbed: () => !this.isDisturbed,
      senderOf: (deliveryId) => this.sends.by(deliveryId),
      hasStoodStill: (life) => this.processes.find((process) => process.life === life)?.hasStoodStill ?? true,
    });
    this.stores = new SharedStores(this.storesClock, () => this.toldProjections, watch);
    this.leadership = this.clusterOr(this.luck.fork('cluster'));
  }

  get registry(): Registry {
    return this.processes[0]!.registry;
  }

  /** What the checks of read models look at. */
  get held() {
    const { events, readModels } = this.stores;
    return { registry: this.registry, events, readModels };
  }

  /** Some worlds have a cluster. */
  private clusterOr(luck: Luck): Leadership | null {
    if (!luck.chance(CLUSTERS)) return null;
    const leadership = new Leadership(this.stores.events, this.timeline, luck, this.trace);
    this.stores.lead(leadership);
    return leadership;
  }

  get names(): readonly string[] {
    return this.processes.map(({ name }) => name);
  }

  /** Without what operators have skipped. */
  async heldInTheEnd() {
    const { reactors, projections } = this.registry;
    const { events } = this.stores;
    const told = projections.map(async (one) => (isFussy(one) ? withoutSkipped(one, events) : one));
    return { ...this.held, registry: { reactors, projections: await Promise.all(told) } as unknown as Registry };
  }

  /** As the newest and mended code folds them. */
  get toldProjections(): readonly Projection<object>[] {
    const newest = [newerJars, fussyJars(() => true, newerJars)] as readonly Projection<object>[];
    return this.registry.projections.map((one) => newest.find(({ name }) => name === one.name) ?? one);
  }

  begin(processes: number): void {
    for (let i = 0; i < processes; i++) this.processes.push(this.another(i === 2 ? this.luck.oneOf(ROLES) : 'all'));
  }

  anyRunning(luck: Luck): Process | null {
    const running = this.processes.filter(({ life }) => !life.over);
    return running.length === 0 ? null : luck.oneOf(running);
  }

  /** One that takes requests, when there is any. */
  anyProcess(luck: Luck): Process | null {
    const taking = this.processes.filter(({ takesRequests }) => takesRequests);
    return taking.length === 0 ? null : luck.oneOf(taking);
  }

  end(process: Process): void {
    this.trace.tell(`${process.name} ends`);
    process.life.end();
  }

  async stop(process: Process): Promise<void> {
    this.trace.tell(`${process.name} is to stop`);
    await process.stop();
    this.trace.tell(`${process.name} has stopped`);
    this.replaceTheDead();
  }

  /** Every process ends; what is kept beside the log is as it was when the copy was made; then there are new processes. */
  bringBack(copy: () => void): void {
    this.trace.tell('the documents and jobs are brought back from a copy');
    for (const { life } of this.processes) life.end();
    this.isDown = true;
    this.timeline.after(RESTORE_MS, () => {
      copy();
      this.isDown = false;
      this.replaceTheDead();
    });
  }

  /** Older code is replaced by newer code. */
  endOlder(): void {
    if (this.isDeployed) for (const process of this.processes) if (!process.isNewer && !process.life.over) this.end(process);
  }

  /** In the place of each process that is over there is a new one. */
  replaceTheDead(): void {
    if (this.isDown) return;
    for (const [i, { life, role }] of this.processes.entries()) if (life.over) this.processes[i] = this.another(role);
  }

  private another(role: Role): Process {
    const process = new Process(`process-${++this.born}`, role, this);
    this.trace.tell(`${process.name} begins, as ${role}`);
    process.start();
    return process;
  }
}
