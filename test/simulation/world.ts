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
/** Every call that an ended process sent has arrived after this time. */
const RESTORE_MS = 13_000;
const CLUSTERS = 0.35;

/** The possible roles of the third process; the others have role `all`. */
const ROLES: readonly Role[] = ['all', 'all', 'api', 'projector', 'dispatcher'];

/** The state of one run: everything that a seed decides. */
export class World {
  readonly timeline = new Timeline();
  readonly trace = new Trace(this.timeline);
  readonly luck: Luck;
  readonly network: Network;
  readonly receivers: Receivers;
  readonly stores: SharedStores;
  readonly storesClock: MachineClock;
  /** A run without faults, except those of receivers. */
  readonly calm: boolean;
  /** The keys of the jar jobs, once for each run of a job. */
  readonly polished: string[] = [];
  /** Events in the order in which a reactor got them, with repetitions. */
  readonly seen: Recorded[] = [];
  /** Whether a build was dropped: queries then continue on another build, which may lag. */
  hasDropped = false;
  /** Whether the projection code that fails on some events is fixed. */
  isMended = false;
  /** Whether calls were lost or slow, a store was unavailable, or leases ended early. */
  isDisturbed = false;
  /** Whether new processes run newer code. */
  isDeployed = false;
  /** Whether a restore is in progress; no process runs until its end. */
  isDown = false;
  readonly sends = new Sends();
  readonly glances = new Glances(this);
  /** The leadership of the log's cluster; null without a cluster. */
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

  /** The input of the read model checks. */
  get held() {
    const { events, readModels } = this.stores;
    return { registry: this.registry, events, readModels };
  }

  /** Creates a cluster in some of the runs. */
  private clusterOr(luck: Luck): Leadership | null {
    if (!luck.chance(CLUSTERS)) return null;
    const leadership = new Leadership(this.stores.events, this.timeline, luck, this.trace);
    this.stores.lead(leadership);
    return leadership;
  }

  get names(): readonly string[] {
    return this.processes.map(({ name }) => name);
  }

  /** The input of the read model checks, without the events that operators skipped. */
  async heldInTheEnd() {
    const { reactors, projections } = this.registry;
    const { events } = this.stores;
    const told = projections.map(async (one) => (isFussy(one) ? withoutSkipped(one, events) : one));
    return { ...this.held, registry: { reactors, projections: await Promise.all(told) } as unknown as Registry };
  }

  /** The projections as the newest and fixed code folds them. */
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

  /** Returns a random process that accepts requests, or null. */
  anyProcess(luck: Luck): Process | null {
    const taking = this.processes.filter(({ takesRequests }) => takesRequests);
    return taking.length === 0 ? null : luck.oneOf(taking);
  }

  end(process: Process): void {
    this.trace.tell(`${process.name} ends`);
    process.life.end();
  }

  async stop(process: Process): Promise<void> {
    this.trace.tell(`${process.name} gets a stop signal`);
    await process.stop();
    this.trace.tell(`${process.name} has stopped`);
    this.replaceTheDead();
  }

  /** Ends every process, restores documents and jobs from a copy, and starts new processes. */
  bringBack(copy: () => void): void {
    this.trace.tell('the documents and jobs are restored from a copy');
    for (const { life } of this.processes) life.end();
    this.isDown = true;
    this.timeline.after(RESTORE_MS, () => {
      copy();
      this.isDown = false;
      this.replaceTheDead();
    });
  }

  /** Ends the processes with older code, so newer ones replace them. */
  endOlder(): void {
    if (this.isDeployed) for (const process of this.processes) if (!process.isNewer && !process.life.over) this.end(process);
  }

  /** Replaces each ended process by a new one. */
  replaceTheDead(): void {
    if (this.isDown) return;
    for (const [i, { life, role }] of this.processes.entries()) if (life.over) this.processes[i] = this.another(role);
  }

  private another(role: Role): Process {
    const process = new Process(`process-${++this.born}`, role, this);
    this.trace.tell(`${process.name} starts as ${role}`);
    process.start();
    return process;
  }
}
