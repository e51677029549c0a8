import { Injectable } from '@nestjs/common';
import { Clock, Random } from '../kernel/clock.js';
import { EventStore } from '../kernel/event-store.js';
import { Jobs } from '../kernel/jobs.js';
import { later, START, type Position } from '../kernel/position.js';
import type { Projection } from '../kernel/projection.js';
import { ReadModels } from '../kernel/read-models.js';
import { Checkpoints } from './checkpoints.js';
import { Follower } from './follower.js';
import { Holder } from './holder.js';
import { Leases } from './leases.js';
import type { Failure } from './patience.js';
import { Projector } from './projector.js';
import { Reactions } from './reactors.js';
import { Registry } from './registry.js';
import { Runner } from './runner.js';
import { Waiters } from './waiters.js';
import { Worker } from './worker.js';

/** The process itself has 10 s: behind this come the last checkpoints, and the leases. */
const STOP_MS = 8_000;

/** What a process runs: all of it, unless its role is narrower. */
export interface Parts {
  readonly projections: boolean;
  readonly reactors: boolean;
  readonly workers: boolean;
}

const ALL: Parts = { projections: true, reactors: true, workers: true };

export interface EngineStatus {
  readonly running: boolean;
  /** The last page that was given out. */
  readonly position: Position;
  readonly runners: readonly {
    readonly name: string;
    readonly position: Position;
    readonly live: boolean;
    readonly failing: Failure | null;
  }[];
  readonly workers: readonly { readonly queue: string; readonly busy: number; readonly failing: Failure | null }[];
  /** What reads the log and what writes checkpoints, when they cannot. */
  readonly failing: readonly Failure[];
}

/** Runs what the registry lists: one follower of the log, its projections and reactors, and the workers on the queues. */
@Injectable()
export class Engine {
  private readonly stopping = new AbortController();
  private readonly stopped = new AbortController();
  private readonly follower: Follower;
  private readonly checkpoints: Checkpoints;
  private readonly leases: Leases;
  private runners: Runner[] = [];
  private workers: Worker[] = [];
  private tasks: Promise<void>[] = [];
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    private readonly jobs: Jobs,
    private readonly registry: Registry,
    private readonly waiters: Waiters,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly holder: Holder,
  ) {
    this.follower = new Follower(store, clock, random);
    this.checkpoints = new Checkpoints(readModels, clock, random);
    this.leases = new Leases(readModels, clock, random, holder.name);
  }

  /** Resolves when reads can be served, be they behind. An engine starts once. */
  async start({ projections, reactors, workers }: Parts = ALL): Promise<void> {
    const projectors = await this.prepared();
    this.writing = this.checkpoints.run(this.stopped.signal);
    if (projections) await this.startProjections(projectors);
    else if (reactors) this.follow(await this.store.head());
    if (reactors) this.startReactors();
    if (workers) this.startWorkers();
  }

  /** Nothing new is begun; what runs has 8 s to end; then the checkpoints are written and the leases are free. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const overdue = new AbortController();
    const ended = Promise.all(this.tasks).finally(() => overdue.abort());
    await Promise.race([ended, this.clock.sleep(STOP_MS, overdue.signal)]);
    this.stopped.abort();
    await this.writing;
  }

  status(): EngineStatus {
    return {
      running: this.tasks.length > 0 && !this.stopping.signal.aborted,
      position: this.follower.position,
      runners: this.runners.map(({ name, position, live, failing }) => ({ name, position, live, failing })),
      workers: this.workers.map(({ queue, busy, failing }) => ({ queue, busy, failing })),
      failing: [this.follower.failing, this.checkpoints.failing].filter((failure) => failure !== null),
    };
  }

  private async prepared() {
    const projections: readonly Projection<object>[] = this.registry.projections;
    const projectors = projections.map((projection) => new Projector(projection, this.readModels, this.clock));
    for (const projector of projectors) await projector.prepare();
    return projectors;
  }

  /** The follower begins where the foremost projection is: the others catch up with it by themselves. */
  private async startProjections(projectors: readonly Projector<object>[]): Promise<void> {
    const positions = await Promise.all(projectors.map(({ name }) => this.readModels.checkpoint(name)));
    this.follow(positions.reduce(later, START));
    for (const projector of projectors) this.begin(this.runner(projector).run(this.stopping.signal));
  }

  private startReactors(): void {
    for (const reactor of this.registry.reactors) {
      const runner = this.runner(new Reactions(reactor, this.jobs, this.clock, this.random));
      this.begin(this.leases.hold(runner.name, this.stopping.signal, (held) => runner.run(held)));
    }
  }

  private startWorkers(): void {
    const { jobs, clock, random, holder } = this;
    this.workers = this.registry.jobs.map((handler) => new Worker(handler, { jobs, clock, random, holder: holder.name }));
    for (const worker of this.workers) this.begin(worker.run(this.stopping.signal));
  }

  private follow(after: Position): void {
    this.begin(this.follower.run(after, this.stopping.signal));
  }

  private runner(work: Projector<object> | Reactions): Runner {
    const { store, readModels, clock, random, follower, checkpoints, waiters } = this;
    const runner = new Runner(work, { store, readModels, clock, random, follower, checkpoints, waiters });
    this.runners.push(runner);
    return runner;
  }

  /** What is begun ends when the engine stops, and its errors are its own to repeat: this one is only the stop. */
  private begin(task: Promise<void>): void {
    this.tasks.push(task.catch(() => undefined));
  }
}
