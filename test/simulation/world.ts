import type { Config } from '../../src/config.js';
import type { Registry } from '../../src/engine/registry.js';
import type { Recorded } from '../../src/kernel/event.js';
import { Life, MachineClock } from './life.js';
import { Luck } from './luck.js';
import { Network } from './network.js';
import { Process } from './process.js';
import { Receivers } from './receivers.js';
import { SharedStores } from './stores.js';
import { Timeline } from './timeline.js';
import { Trace } from './trace.js';

type Role = Config['role'];

const CALM_DAYS = 0.1;

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
    this.stores = new SharedStores(this.storesClock, () => this.registry.projections);
  }

  get registry(): Registry {
    return this.processes[0]!.registry;
  }

  /** What the checks of read models look at. */
  get held() {
    const { events, readModels } = this.stores;
    return { registry: this.registry, events, readModels };
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

  /** In the place of each process that is over there is a new one. */
  replaceTheDead(): void {
    for (const [i, { life, role }] of this.processes.entries()) if (life.over) this.processes[i] = this.another(role);
  }

  private another(role: Role): Process {
    const process = new Process(`process-${++this.born}`, role, this);
    this.trace.tell(`${process.name} begins, as ${role}`);
    process.start();
    return process;
  }
}
