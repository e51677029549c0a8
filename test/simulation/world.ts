import type { Config } from '../../src/config/config.js';
import { loadWithSkips } from '../../src/engine/projections/skips.js';
import type { Registry } from '../../src/engine/registry.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Projection } from '../../src/kernel/projection.js';
import { Leadership } from './cluster/leadership.js';
import { DocumentChecks } from './document-checks.js';
import { createFailingJars, isFailingJars } from './failing-jars.js';
import { Network } from './network.js';
import { newerJars } from './newer-jar.js';
import { OnlineChecks } from './online-checks.js';
import { Process } from './process.js';
import { MachineClock, ProcessLifecycle } from './process-lifecycle.js';
import { Receivers, SendLog } from './receivers.js';
import { SimulationRandom } from './seeded-random.js';
import { Bank } from './shop/bank.js';
import { LifeChecks } from './shop/life-checks.js';
import { SharedStores } from './stores.js';
import { Timeline } from './timeline.js';
import { RunTrace } from './trace.js';

type Role = Config['role'];

const FAULTLESS_SHARE = 0.1;
/** Every call that an ended process sent has arrived after this time. */
const RESTORE_MS = 13_000;
const CLUSTER_SHARE = 0.35;

/** The possible roles of the third process; the others have role `all`. */
const ROLES: readonly Role[] = ['all', 'all', 'api', 'projector', 'dispatcher'];

/** `hasShop`: the processes run commerce too, and clients buy. */
export interface WorldOptions {
  readonly hasShop?: boolean;
}

/** The state of one run: everything that a seed decides. */
export class World {
  readonly timeline = new Timeline();
  readonly trace = new RunTrace(this.timeline);
  readonly random: SimulationRandom;
  readonly network: Network;
  readonly receivers: Receivers;
  readonly stores: SharedStores;
  readonly storesClock: MachineClock;
  /** A run without faults, except those of receivers. */
  readonly isFaultless: boolean;
  /** The keys of the jar jobs, once for each run of a job. */
  readonly polishedKeys: string[] = [];
  /** Events in the order in which a reactor got them, with repetitions. */
  readonly seenEvents: RecordedEvent[] = [];
  /** Whether a build was dropped: queries then continue on another build, which may lag. */
  hasDropped = false;
  /** Whether the projection code that fails on some events is fixed. */
  isFixed = false;
  /** Whether calls were lost or slow, a store was unavailable, or leases ended early. */
  isDisturbed = false;
  /** Whether new processes run newer code. */
  isDeployed = false;
  /** Whether a restore is in progress; no process runs until its end. */
  isDown = false;
  /** The time that passed at once, after the work of the run was finished. */
  passedMs = 0;
  /** The bank of the shop; null in a run without a shop. */
  readonly bank: Bank | null;
  /** The checks of a shop during the run; null in a run without a shop. */
  readonly lifeChecks: LifeChecks | null;
  readonly sendLog = new SendLog();
  readonly documentChecks = new DocumentChecks(this);
  /** The leadership of the log's cluster; null without a cluster. */
  readonly leadership: Leadership | null;
  private readonly processes: Process[] = [];
  private processCount = 0;

  constructor(
    seed: number,
    readonly config: Config,
    { hasShop = false }: WorldOptions = {},
  ) {
    this.bank = hasShop ? new Bank() : null;
    this.random = new SimulationRandom(seed);
    this.isFaultless = this.random.chance(FAULTLESS_SHARE);
    this.network = new Network(this.timeline, this.random.fork('network'));
    this.receivers = new Receivers(this.timeline, this.random.fork('receivers'), this.trace);
    const machine = new ProcessLifecycle('stores', this.timeline, this.random.fork('stores'));
    this.storesClock = new MachineClock(machine);
    const watch = new OnlineChecks({
      now: () => this.timeline.now,
      isUndisturbed: () => !this.isDisturbed,
      findSender: (deliveryId) => this.sendLog.findSender(deliveryId),
      wasPaused: (life) => this.processes.find((process) => process.lifecycle === life)?.wasPaused ?? true,
    });
    this.stores = new SharedStores(this.storesClock, () => this.referenceProjections, watch);
    this.leadership = this.maybeCreateCluster(this.random.fork('cluster'));
    this.lifeChecks = this.bank && new LifeChecks(this.stores.events.log, this.bank);
  }

  get registry(): Registry {
    return this.processes[0]!.registry;
  }

  /** The input of the read model checks. */
  get inspectedStores() {
    const { events, readModels } = this.stores;
    return { registry: this.registry, events, readModels, checkpoints: readModels, catalogue: readModels };
  }

  /** Creates a cluster in some of the runs. */
  private maybeCreateCluster(random: SimulationRandom): Leadership | null {
    if (!random.chance(CLUSTER_SHARE)) return null;
    const leadership = new Leadership(this.stores.events, this.timeline, random, this.trace);
    this.stores.useCluster(leadership);
    return leadership;
  }

  get names(): readonly string[] {
    return this.processes.map(({ name }) => name);
  }

  /** The input of the read model checks, without the events that operators skipped. */
  async inspectWithoutSkips() {
    const { reactors, projections } = this.registry;
    const { events } = this.stores;
    const loaded = projections.map(async (one) => (isFailingJars(one) ? loadWithSkips(one, events) : one));
    return {
      ...this.inspectedStores,
      registry: { reactors, projections: await Promise.all(loaded) } as unknown as Registry,
    };
  }

  /** The projections as the newest and fixed code folds them. */
  get referenceProjections(): readonly Projection<object>[] {
    const newest = [newerJars, createFailingJars(() => true, newerJars)] as readonly Projection<object>[];
    return this.registry.projections.map((one) => newest.find(({ name }) => name === one.name) ?? one);
  }

  /** Lets time pass at once, so that timers become due. Leases stay with their holders. */
  passTime(ms: number): void {
    this.trace.log(`${ms} ms pass`);
    this.passedMs += ms;
    this.storesClock.shift(ms);
    this.stores.readModels.extendLeases(ms);
    for (const { clock } of this.processes) clock.shift(ms);
  }

  startProcesses(processes: number): void {
    for (let i = 0; i < processes; i++)
      this.processes.push(this.startProcess(i === 2 ? this.random.pick(ROLES) : 'all'));
  }

  anyRunning(random: SimulationRandom): Process | null {
    const running = this.processes.filter(({ lifecycle }) => !lifecycle.hasEnded);
    return running.length === 0 ? null : random.pick(running);
  }

  /** Returns a random process that accepts requests, or null. */
  anyProcess(random: SimulationRandom): Process | null {
    const taking = this.processes.filter(({ takesRequests }) => takesRequests);
    return taking.length === 0 ? null : random.pick(taking);
  }

  end(process: Process): void {
    this.trace.log(`${process.name} ends`);
    process.lifecycle.end();
  }

  /** Ends every process at once, as a failure of the power does. */
  endAll(): void {
    for (const process of this.processes) if (!process.lifecycle.hasEnded) this.end(process);
  }

  async stop(process: Process): Promise<void> {
    this.trace.log(`${process.name} gets a stop signal`);
    await process.stop();
    this.trace.log(`${process.name} has stopped`);
    this.replaceEnded();
  }

  /** Ends every process, restores documents and jobs from a copy, and starts new processes. */
  restoreCopy(copy: () => void): void {
    this.trace.log('the documents and jobs are restored from a copy');
    for (const { lifecycle } of this.processes) lifecycle.end();
    this.isDown = true;
    this.timeline.after(RESTORE_MS, () => {
      copy();
      this.isDown = false;
      this.replaceEnded();
    });
  }

  /** Ends the processes with older code, so newer ones replace them. */
  endOlder(): void {
    if (this.isDeployed)
      for (const process of this.processes) if (!process.isNewer && !process.lifecycle.hasEnded) this.end(process);
  }

  /** Replaces each ended process by a new one. */
  replaceEnded(): void {
    if (this.isDown) return;
    if (this.processes.some(({ lifecycle }) => lifecycle.hasEnded)) this.lifeChecks?.checkEndedProcess();
    for (const [i, { lifecycle, role }] of this.processes.entries())
      if (lifecycle.hasEnded) this.processes[i] = this.startProcess(role);
  }

  private startProcess(role: Role): Process {
    const process = new Process(`process-${++this.processCount}`, role, this);
    this.trace.log(`${process.name} starts as ${role}`);
    process.start();
    return process;
  }
}
