import { iso, type Clock, type Random } from '../../kernel/clock.js';
import type { EventStore } from '../../kernel/event-store.js';
import { START, type Position } from '../../kernel/position.js';
import { buildOf, collectionOf, type Projection } from '../../kernel/projection.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { Bell } from '../bell.js';
import type { Follows, Runner } from '../following/runner.js';
import type { Leases } from '../leases.js';
import { Patience, type Failure } from '../patience.js';
import type { BuildProgress } from './build.js';
import type { Builds } from './builds.js';
import { begun, followed, founded, resumed, unfinished, type Entry } from './catalogue.js';
import { dropBuild } from './dropping.js';
import { changeEntry } from './entries.js';
import { FollowedBuilds } from './followed-builds.js';
import { leaseOf, makeBuild } from './making.js';
import { retireBuilds } from './retention.js';
import type { SharedLog } from './shared-log.js';
import { sweepTombstones } from './sweeping.js';
import { Tasks } from './tasks.js';

/** Interval between two checks for unused builds and old tombstones. */
const RETIRE_MS = 3_600_000;
/** Maximum delay before a change of the catalogue by another process is noticed. */
const LOOK_MS = 500;

type Work = (signal: AbortSignal) => Promise<void>;

interface CaretakerTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly random: Random;
  readonly leases: Leases;
  /** Leases of build leaders. */
  readonly leading: Leases;
  readonly builds: Builds;
  readonly runner: (work: Follows) => Runner;
  /** Shared read of the log for all builds that this process fills. */
  readonly log: SharedLog;
}

/**
 * The work of one process on all builds: it follows the builds that are kept up to date, fills the first build of a
 * projection and drops builds.
 */
export class Caretaker {
  /** Positions of the builds that this process fills. */
  readonly filled = new Map<string, Position>();
  private readonly tasks = new Tasks();
  private readonly following: FollowedBuilds;
  private readonly patience: Patience;
  /** Notified when the catalogue has changed. */
  private readonly bell: Bell;
  /** Resolves when another build may be served. */
  private news = Promise.withResolvers<void>();

  /** @param projections empty in a process that only has to know which builds to read */
  constructor(
    private readonly projections: readonly Projection<object>[],
    private readonly tools: CaretakerTools,
  ) {
    this.patience = new Patience(tools.clock, tools.random);
    this.following = new FollowedBuilds(tools, this.patience);
    this.bell = new Bell(tools.clock);
  }

  get failing(): Failure | null {
    return this.patience.failing;
  }

  get runners(): Runner[] {
    return this.following.runners;
  }

  head(signal: AbortSignal): Promise<Position> {
    return this.patience.persist(() => this.tools.store.head(), signal);
  }

  /**
   * Starts the first build of each projection without builds, and resumes a first build that failed before any build
   * was active.
   */
  async beginFirstBuilds(signal: AbortSignal): Promise<void> {
    const { store, readModels, builds, clock } = this.tools;
    const at = iso(clock.now());
    await this.patience.persist(async () => {
      const empty = (await store.head()) === START;
      await Promise.all(this.projections.map((one) => changeEntry(readModels, collectionOf(one), (entry) => foundation(entry, empty, at))));
      await builds.look();
    }, signal);
  }

  /** Runs until the signal aborts, and then waits for running tasks. */
  async run(signal: AbortSignal): Promise<void> {
    const { builds } = this.tools;
    const ring = () => {
      this.bell.ring();
      this.tellNews();
    };
    const unsubscribe = builds.onChange(ring);
    signal.addEventListener('abort', ring, { once: true });
    while (!signal.aborted) {
      await this.patience.persist(() => builds.look(), signal).catch(() => undefined);
      if (signal.aborted) break;
      this.tasks.keep(this.wanted());
      this.tellLetters();
      this.tellNews();
      await this.bell.wait(LOOK_MS);
    }
    unsubscribe();
    await this.tasks.end();
  }

  /**
   * Resolves when each of these projections has an active build, and its leader is known if this process stands by for
   * it; also resolves when the signal aborts.
   */
  async untilServed(all: readonly Projection<object>[], signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !all.every((projection) => this.isServed(projection))) await this.news.promise;
  }

  private tellNews(): void {
    this.news.resolve();
    this.news = Promise.withResolvers<void>();
  }

  private isServed(projection: Projection<object>): boolean {
    const name = collectionOf(projection);
    const { active, paused } = this.tools.builds.entry(name);
    if (active === null) return false;
    return paused || !this.projections.includes(projection) || this.following.hasBegun(buildOf(name, active));
  }

  private followedOf(projection: Projection<object>): string[] {
    const name = collectionOf(projection);
    return followed(this.tools.builds.entry(name)).map(({ n }) => buildOf(name, n));
  }

  private wanted(): ReadonlyMap<string, Work> {
    const retire: [string, Work] = ['retire', (signal) => this.retire(signal)];
    return new Map(this.projections.length === 0 ? [] : [retire, ...this.projections.flatMap((one) => this.worksOf(one)), ...this.drops()]);
  }

  private worksOf(projection: Projection<object>): [string, Work][] {
    const name = collectionOf(projection);
    const entry = this.tools.builds.entry(name);
    const first = entry.active === null ? unfinished(entry) : undefined;
    const follows = this.followedOf(projection).map((build): [string, Work] => [
      `follow ${build}`,
      (signal) => this.following.follow(projection, build, signal, () => this.tellNews()),
    ]);
    if (first?.status !== 'building') return follows;
    return [...follows, [`make ${buildOf(name, first.n)}`, (signal) => this.make(projection, first.n, signal)]];
  }

  private async retire(signal: AbortSignal): Promise<void> {
    const used = new Set(this.projections.map((projection) => collectionOf(projection)));
    while (!signal.aborted) {
      await this.patience.persist(() => retireBuilds(used, this.tools), signal);
      await this.patience.persist(() => sweepTombstones(used, this.tools, signal), signal);
      await this.tools.clock.sleep(RETIRE_MS, signal);
    }
  }

  private drops(): [string, Work][] {
    const { builds, leases, readModels, clock } = this.tools;
    const dropped = [...builds.entries].flatMap(([name, entry]) =>
      entry.builds.filter(({ status }) => status === 'dropping').map(({ n }) => ({ name, n })),
    );
    return dropped.map(({ name, n }) => {
      const drop = (held: AbortSignal) => dropBuild(name, n, { builds, readModels, clock }, held);
      return [`drop ${buildOf(name, n)}`, (signal) => leases.holdOnce(leaseOf(buildOf(name, n)), signal, drop)];
    });
  }

  private make(projection: Projection<object>, n: number, signal: AbortSignal): Promise<void> {
    const { builds, leases } = this.tools;
    const build = buildOf(collectionOf(projection), n);
    const onProgress = ({ position }: BuildProgress) => void this.filled.set(build, position);
    const making = { projection, n, switched: true, onProgress };
    return leases.holdOnce(leaseOf(build), signal, (held) => makeBuild(making, builds, this.tools, held));
  }

  private tellLetters(): void {
    for (const projection of this.projections) {
      const { letters } = this.tools.builds.entry(collectionOf(projection));
      for (const build of this.followedOf(projection)) this.following.tellLetters(build, letters);
    }
  }
}

function foundation(entry: Entry, empty: boolean, at: string): Entry {
  if (entry.active !== null) return entry;
  const first = unfinished(entry);
  if (first !== undefined) return resumed(entry, first.n);
  return empty ? founded(entry, at) : begun(entry, at);
}
