import { Injectable } from '@nestjs/common';
import { reportAndIgnore } from '../kernel/background-errors.js';
import { BuildCatalogue } from '../kernel/build-catalogue.js';
import { Checkpoints } from '../kernel/checkpoints.js';
import { Clock, Random } from '../kernel/clock.js';
import { passCrashPoint } from '../kernel/crash-points.js';
import { EventStore } from '../kernel/event-store.js';
import { Jobs } from '../kernel/jobs.js';
import { Leases } from '../kernel/leases.js';
import { START } from '../kernel/position.js';
import { ProcessId } from '../kernel/process-id.js';
import { buildOf, collectionOf, type Projection, type Versioned } from '../kernel/projection.js';
import { ReadModels } from '../kernel/read-models.js';
import { BuildSupervisor } from './builds/build-supervisor.js';
import { Builds } from './builds/builds.js';
import { findUnfinished } from './builds/catalogue.js';
import { SharedLog } from './builds/shared-log.js';
import { CheckpointWriter } from './consumers/checkpoint-writer.js';
import { ConsumerRunner } from './consumers/consumer-runner.js';
import type { EventConsumer } from './consumers/event-consumer.js';
import { Follower } from './consumers/follower.js';
import { Waiters } from './consumers/waiters.js';
import type { EngineStatus } from './engine-status.js';
import { keepRunning, removeOnFailure } from './keep-running.js';
import { LeaseRunner } from './lease-runner.js';
import { ParkedReactions } from './reactors/parked-reactions.js';
import { PartSlots } from './reactors/part-slots.js';
import { initializePart, listParts, type Part } from './reactors/parts.js';
import { ReactorConsumer } from './reactors/reactor-consumer.js';
import { Worker } from './reactors/worker.js';
import { type AnyJobHandler, type AnyReactor, Registry } from './registry.js';
import { Retrier } from './retrier.js';

/**
 * The process must stop within 10 s; the rest of that time is for the last checkpoints and for releasing the leases.
 */
const STOP_TIMEOUT_MS = 8_000;
/**
 * Duration of the lease of a build's leader. Reads are late until another process leads, so this lease is shorter than
 * others.
 */
const LEADER_LEASE_MS = 5_000;

/** The tasks of a process: all of them, unless its role is narrower. */
export interface EngineRoles {
  readonly projections: boolean;
  readonly reactors: boolean;
  readonly workers: boolean;
}

const ALL_ROLES: EngineRoles = { projections: true, reactors: true, workers: true };

/**
 * Runs everything in the registry: one follower of the log, the projections and reactors, and the workers on the
 * queues.
 */
@Injectable()
export class Engine {
  private readonly stopping = new AbortController();
  private readonly stopped = new AbortController();
  private readonly follower: Follower;
  private readonly checkpointWriter: CheckpointWriter;
  private readonly leaseRunner: LeaseRunner;
  private readonly retrier: Retrier;
  private supervisor: BuildSupervisor | null = null;
  private partSlots: PartSlots | null = null;
  private readonly runners: ConsumerRunner[] = [];
  private readonly workers: Worker[] = [];
  private tasks: Promise<void>[] = [];
  private checkpointWrites: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    private readonly checkpoints: Checkpoints,
    private readonly leases: Leases,
    private readonly catalogue: BuildCatalogue,
    private readonly jobs: Jobs,
    private readonly registry: Registry,
    private readonly waiters: Waiters,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly processId: ProcessId,
    private readonly builds: Builds,
  ) {
    this.follower = new Follower(store, clock, random);
    this.checkpointWriter = new CheckpointWriter(checkpoints, clock, random);
    this.retrier = new Retrier(clock, random, { kind: 'loop', name: 'engine' });
    this.leaseRunner = new LeaseRunner(leases, clock, random, processId.value);
  }

  /**
   * Resolves when each projection has an active build, which may still lag. An engine starts only once.
   */
  async start(roles: EngineRoles = ALL_ROLES): Promise<void> {
    await this.startServing(roles);
    await this.supervisor!.waitUntilServed(this.registry.projections, this.stopping.signal);
  }

  /**
   * Starts without waiting for builds. Requests that need a projection without a build are refused, and reactors and
   * workers that need it start later; everything else runs at once.
   */
  async startServing({ projections, reactors, workers }: EngineRoles = ALL_ROLES): Promise<void> {
    const { signal } = this.stopping;
    const supervisor = (this.supervisor = this.createSupervisor(projections ? this.registry.projections : []));
    this.checkpointWrites = this.checkpointWriter.run(this.stopped.signal);
    this.builds.serveFrom(await supervisor.readHead(signal));
    await supervisor.startFirstBuilds(signal);
    if (projections || reactors) this.track('follower', () => this.follower.run(START, signal));
    this.track('build supervisor', () => supervisor.run(signal));
    this.track('build watch', () => this.builds.watch(this.registry.projections.map(collectionOf), signal));
    if (reactors) this.startReactors();
    if (workers)
      for (const handler of this.listHandlers())
        this.track(`queue ${handler.queue.name}`, () => this.startWorker(handler));
  }

  /** Stops new work and waits at most 8 s for running work; then writes the checkpoints and releases the leases. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const overdue = new AbortController();
    const ended = Promise.all(this.tasks).finally(() => overdue.abort());
    await Promise.race([ended, this.clock.sleep(STOP_TIMEOUT_MS, overdue.signal)]);
    passCrashPoint('during-shutdown');
    this.stopped.abort();
    await this.checkpointWrites;
  }

  status(): EngineStatus {
    const runners = [...(this.supervisor?.runners ?? []), ...this.runners];
    return {
      running: this.tasks.length > 0 && !this.stopping.signal.aborted,
      position: this.follower.position,
      runners: runners.map(({ name, position, live, passed, failing }) => ({ name, position, live, passed, failing })),
      workers: this.workers.map(({ queue, busy, failing }) => ({ queue, busy, failing })),
      building: this.registry.projections.flatMap((projection: Projection<object>) =>
        this.findMissingBuild(projection),
      ),
      lagging: this.builds.lagging,
      failing: [this.follower.failing, this.checkpointWriter.failing, this.supervisor?.failing ?? null].filter(
        (failure) => failure !== null,
      ),
    };
  }

  private findMissingBuild(projection: Projection<object>): EngineStatus['building'] {
    const name = collectionOf(projection);
    const entry = this.builds.getEntry(name);
    if (entry.active !== null) return [];
    const first = findUnfinished(entry);
    const build = first === undefined ? name : buildOf(name, first.n);
    return [{ name: build, position: this.supervisor?.filled.get(build) ?? null, error: first?.error ?? null }];
  }

  private createSupervisor(projections: readonly Projection<object>[]): BuildSupervisor {
    const { store, readModels, checkpoints, leases, catalogue, clock, random, leaseRunner, builds } = this;
    const log = new SharedLog(store, clock);
    const leading = new LeaseRunner(leases, clock, random, this.processId.value, LEADER_LEASE_MS);
    const createRunner = (work: EventConsumer) => this.createRunner(work);
    return new BuildSupervisor(projections, {
      store,
      readModels,
      checkpoints,
      leases,
      catalogue,
      clock,
      random,
      leaseRunner,
      leading,
      builds,
      log,
      createRunner,
    });
  }

  private startReactors(): void {
    const parts = listParts(this.registry);
    if (parts.length > 1) {
      this.partSlots = new PartSlots(parts.length, this.leaseRunner, this.clock);
      const { partSlots } = this;
      this.track('reactor slots', () => partSlots.run(this.stopping.signal));
    }
    for (const reactor of this.registry.reactors)
      for (const part of parts) this.track(`reactor ${reactor.name}`, () => this.startReactor(reactor, part));
  }

  private async startReactor(reactor: AnyReactor, part: Part): Promise<void> {
    await this.waitUntilReadable(reactor.needs);
    const runner = this.createRunner(new ReactorConsumer(reactor, part, this.jobs, this.clock, this.random));
    this.runners.push(runner);
    const { signal } = this.stopping;
    const run = (permitted: AbortSignal) =>
      this.leaseRunner.hold(runner.name, permitted, async (held) => {
        await this.retrier
          .run(() => initializePart(reactor, part, this.checkpoints), held)
          .catch(reportAndIgnore({ kind: 'reactor', name: reactor.name }));
        await runner.run(held);
      });
    const whileServing = part.of === 1 ? run(signal) : this.partSlots!.whileFree(part.nth + 1, signal, run);
    await removeOnFailure(this.runners, runner, whileServing);
  }

  private listHandlers(): readonly AnyJobHandler[] {
    return [...this.registry.jobs, new ParkedReactions(this.registry.reactors, this.store)];
  }

  private async startWorker(handler: AnyJobHandler): Promise<void> {
    await this.waitUntilReadable(handler.needs);
    const { jobs, clock, random, processId } = this;
    const worker = new Worker(handler, { jobs, clock, random, processId: processId.value });
    this.workers.push(worker);
    await removeOnFailure(this.workers, worker, worker.run(this.stopping.signal));
  }

  private async waitUntilReadable(needs: readonly Versioned[] = []): Promise<void> {
    const names = needs.map(collectionOf);
    const needed = this.registry.projections.filter((projection) => names.includes(collectionOf(projection)));
    await this.supervisor!.waitUntilServed(needed, this.stopping.signal);
  }

  private createRunner(work: EventConsumer): ConsumerRunner {
    const { checkpoints, clock, random, follower, checkpointWriter, waiters } = this;
    return new ConsumerRunner(work, { checkpoints, clock, random, follower, checkpointWriter, waiters });
  }

  /** Runs a task until the engine stops; `stop` waits for it. */
  private track(name: string, start: () => Promise<void>): void {
    const { clock, random } = this;
    this.tasks.push(keepRunning({ kind: 'loop', name }, start, this.stopping.signal, { clock, random }));
  }
}
