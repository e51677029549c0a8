import { reportAndIgnore } from '../../kernel/background-errors.js';
import type { BuildCatalogue } from '../../kernel/build-catalogue.js';
import { toIso } from '../../kernel/clock.js';
import type { Leases } from '../../kernel/leases.js';
import { type Position, START } from '../../kernel/position.js';
import { buildOf, collectionOf, type Projection } from '../../kernel/projection.js';
import { AsyncSignal } from '../async-signal.js';
import type { ConsumerRunner } from '../consumers/consumer-runner.js';
import type { LeaseRunner } from '../lease-runner.js';
import { type Failure, Retrier } from '../retrier.js';
import type { BuildProgress, BuildTools } from './build-filler.js';
import { changeEntry, createActive, type Entry, findUnfinished, listFollowed, resume, start } from './catalogue.js';
import { FollowedBuilds, type FollowedTools } from './followed-builds.js';
import { retireBuilds, sweepTombstones } from './retention.js';
import { dropBuild, leaseNameOf, runBuild } from './run-build.js';

/** Interval between two checks for unused builds and old tombstones. */
const RETENTION_INTERVAL_MS = 3_600_000;
/** Maximum delay before a change of the catalogue by another process is noticed. */
const POLL_MS = 500;

const WORK = { kind: 'loop', name: 'build supervisor' } as const;

type Task = (signal: AbortSignal) => Promise<void>;

interface SupervisorTools extends BuildTools, FollowedTools {
  readonly leases: Leases;
  readonly catalogue: BuildCatalogue;
  readonly leaseRunner: LeaseRunner;
}

/**
 * The work of one process on all builds: it follows the builds that are kept up to date, fills the first build of a
 * projection and drops builds.
 */
export class BuildSupervisor {
  /** Positions of the builds that this process fills. */
  readonly filled = new Map<string, Position>();
  private readonly tasks = new TaskSet();
  private readonly following: FollowedBuilds;
  private readonly retrier: Retrier;
  private readonly catalogueChanged: AsyncSignal;
  /** Resolves when another build may be served. */
  private served = Promise.withResolvers<void>();

  /** @param projections empty in a process that only has to know which builds to read */
  constructor(
    private readonly projections: readonly Projection<object>[],
    private readonly tools: SupervisorTools,
  ) {
    this.retrier = new Retrier(tools.clock, tools.random, WORK);
    this.following = new FollowedBuilds(tools, this.retrier);
    this.catalogueChanged = new AsyncSignal(tools.clock);
  }

  get failing(): Failure | null {
    return this.retrier.failing;
  }

  get runners(): ConsumerRunner[] {
    return this.following.runners;
  }

  readHead(signal: AbortSignal): Promise<Position> {
    return this.retrier.run(() => this.tools.store.readHead(), signal);
  }

  /**
   * Starts the first build of each projection without builds, and resumes a first build that failed before any build
   * was active.
   */
  async startFirstBuilds(signal: AbortSignal): Promise<void> {
    const { store, catalogue, builds, clock } = this.tools;
    const at = toIso(clock.now());
    await this.retrier.run(async () => {
      const empty = (await store.readHead()) === START;
      await Promise.all(
        this.projections.map((one) =>
          changeEntry(catalogue, collectionOf(one), (entry) => ensureFirstBuild(entry, empty, at)),
        ),
      );
      await builds.refresh();
    }, signal);
  }

  /** Runs until the signal aborts, and then waits for running tasks. */
  async run(signal: AbortSignal): Promise<void> {
    const { builds } = this.tools;
    const onCatalogueChange = () => {
      this.catalogueChanged.notify();
      this.notifyServed();
    };
    const unsubscribe = builds.onChange(onCatalogueChange);
    signal.addEventListener('abort', onCatalogueChange, { once: true });
    while (!signal.aborted) {
      await this.retrier.run(() => builds.refresh(), signal).catch(reportAndIgnore(WORK));
      if (signal.aborted) break;
      this.tasks.reconcile(this.listTasks());
      this.refreshDeadLetters();
      this.notifyServed();
      await this.catalogueChanged.wait(this.tools.clock.computePollDelay(POLL_MS));
    }
    unsubscribe();
    await this.tasks.stopAll();
  }

  /**
   * Resolves when each of these projections has an active build, and its leader is known if this process stands by for
   * it; also resolves when the signal aborts.
   */
  async waitUntilServed(all: readonly Projection<object>[], signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !all.every((projection) => this.isServed(projection))) await this.served.promise;
  }

  private notifyServed(): void {
    this.served.resolve();
    this.served = Promise.withResolvers<void>();
  }

  private isServed(projection: Projection<object>): boolean {
    const name = collectionOf(projection);
    const { active, paused } = this.tools.builds.getEntry(name);
    if (active === null) return false;
    return paused || !this.projections.includes(projection) || this.following.hasStarted(buildOf(name, active));
  }

  private listFollowed(projection: Projection<object>): string[] {
    const name = collectionOf(projection);
    return listFollowed(this.tools.builds.getEntry(name)).map(({ n }) => buildOf(name, n));
  }

  private listTasks(): ReadonlyMap<string, Task> {
    const retire: [string, Task] = ['retire', (signal) => this.retire(signal)];
    return new Map(
      this.projections.length === 0
        ? []
        : [retire, ...this.projections.flatMap((one) => this.listProjectionTasks(one)), ...this.listDropTasks()],
    );
  }

  private listProjectionTasks(projection: Projection<object>): [string, Task][] {
    const name = collectionOf(projection);
    const entry = this.tools.builds.getEntry(name);
    const first = entry.active === null ? findUnfinished(entry) : undefined;
    const follows = this.listFollowed(projection).map((build): [string, Task] => [
      `follow ${build}`,
      (signal) => this.following.follow(projection, build, signal, () => this.notifyServed()),
    ]);
    if (first?.status !== 'building') return follows;
    return [...follows, [`make ${buildOf(name, first.n)}`, (signal) => this.runBuild(projection, first.n, signal)]];
  }

  private async retire(signal: AbortSignal): Promise<void> {
    const used = new Set(this.projections.map((projection) => collectionOf(projection)));
    while (!signal.aborted) {
      await this.retrier.run(() => retireBuilds(used, this.tools), signal);
      await this.retrier.run(() => sweepTombstones(used, this.tools, signal), signal);
      await this.tools.clock.sleep(RETENTION_INTERVAL_MS, signal);
    }
  }

  private listDropTasks(): [string, Task][] {
    const { builds, leaseRunner, readModels, clock } = this.tools;
    const dropped = [...builds.entries].flatMap(([name, entry]) =>
      entry.builds.filter(({ status }) => status === 'dropping').map(({ n }) => ({ name, n })),
    );
    return dropped.map(({ name, n }) => {
      const drop = (held: AbortSignal) => dropBuild(name, n, { builds, readModels, clock }, held);
      return [
        `drop ${buildOf(name, n)}`,
        (signal) => leaseRunner.holdOnce(leaseNameOf(buildOf(name, n)), signal, drop),
      ];
    });
  }

  private runBuild(projection: Projection<object>, n: number, signal: AbortSignal): Promise<void> {
    const { builds, leaseRunner } = this.tools;
    const build = buildOf(collectionOf(projection), n);
    const onProgress = ({ position }: BuildProgress) => void this.filled.set(build, position);
    const run = { projection, n, activates: true, onProgress };
    return leaseRunner.holdOnce(leaseNameOf(build), signal, (held) => runBuild(run, builds, this.tools, held));
  }

  private refreshDeadLetters(): void {
    for (const projection of this.projections) {
      const { deadLetterRevision } = this.tools.builds.getEntry(collectionOf(projection));
      for (const build of this.listFollowed(projection)) this.following.refreshDeadLetters(build, deadLetterRevision);
    }
  }
}

function ensureFirstBuild(entry: Entry, empty: boolean, at: string): Entry {
  if (entry.active !== null) return entry;
  const first = findUnfinished(entry);
  if (first !== undefined) return resume(entry, first.n);
  return empty ? createActive(entry, at) : start(entry, at);
}

/** Runs named tasks: starts the wanted ones and stops the others. */
class TaskSet {
  private readonly running = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>();

  /** Starts and stops tasks. A task that has ended starts again at the next call if it is still wanted. */
  reconcile(wanted: ReadonlyMap<string, Task>): void {
    for (const [name, { stop }] of this.running) if (!wanted.has(name)) stop.abort();
    for (const [name, work] of wanted) if (!this.running.has(name)) this.start(name, work);
  }

  async stopAll(): Promise<void> {
    const all = [...this.running.values()];
    for (const { stop } of all) stop.abort();
    await Promise.all(all.map(({ ended }) => ended));
  }

  private start(name: string, work: Task): void {
    const stop = new AbortController();
    const ended = work(stop.signal)
      .catch(reportAndIgnore({ kind: 'build', name }))
      .finally(() => this.running.delete(name));
    this.running.set(name, { stop, ended });
  }
}
