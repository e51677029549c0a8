import { Injectable } from '@nestjs/common';
import { reportAndIgnore, reportAndReturn } from '../../kernel/background-errors.js';
import { BuildCatalogue } from '../../kernel/build-catalogue.js';
import { Clock } from '../../kernel/clock.js';
import type { ConsistencyContext } from '../../kernel/context.js';
import { isEqualJson } from '../../kernel/diff.js';
import { EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import { type Position, START } from '../../kernel/position.js';
import { buildOf, collectionOf, type Versioned } from '../../kernel/projection.js';
import { AsyncSignal } from '../async-signal.js';
import { Waiters } from '../consumers/waiters.js';
import { ActiveBuild } from './active-build.js';
import { changeEntry, type Entry, NO_BUILDS, readEntries } from './catalogue.js';

/** Maximum age of the cached catalogue for a read. */
const CACHE_MS = 250;
/** Time that a read waits for a first build, and for a build that has not caught up since this process started. */
const TIMEOUT_MS = 1_500;
const POLL_MS = 25;

const WATCH = { kind: 'loop', name: 'build watch' } as const;

/**
 * Knows from the catalogue which build of each projection this process reads. Most reads wait for nothing, so a check
 * that needs no read of the store makes no promise.
 */
@Injectable()
export class Builds {
  private catalogue: ReadonlyMap<string, Entry> = new Map();
  private loadedAt = -Infinity;
  private refreshing: Promise<void> | null = null;
  private readonly listeners = new Set<() => void>();
  private readonly activeBuilds = new Map<string, ActiveBuild>();
  private watched: readonly string[] = [];
  private floor: Position = START;
  /** Builds that have reached the required position. */
  private readonly caughtUp = new Set<string>();

  constructor(
    private readonly buildCatalogue: BuildCatalogue,
    private readonly store: EventStore,
    private readonly waiters: Waiters,
    private readonly clock: Clock,
  ) {}

  /** All catalogue entries as last read. */
  get entries(): ReadonlyMap<string, Entry> {
    return this.catalogue;
  }

  getEntry(name: string): Entry {
    return this.catalogue.get(name) ?? NO_BUILDS;
  }

  /** Returns the active build, or the one that reads are about to use; or null. */
  findActive(name: string): string | null {
    const { active } = this.getEntry(name);
    return active === null ? null : buildOf(name, active);
  }

  /**
   * Sets the position that a build must reach before it is read: the head of the log at the start of the process.
   * During the use of a newer version, nothing may have kept the builds of this version up to date for days.
   */
  serveFrom(head: Position): void {
    this.floor = head;
  }

  /** Watched active builds that have not caught up yet. */
  get lagging(): readonly string[] {
    const active = this.watched.map((name) => this.findActive(name)).filter((build) => build !== null);
    return active.filter((build) => !this.caughtUp.has(build));
  }

  /**
   * Polls until each of these projections has caught up, and again after each change of the catalogue: a new build may be
   * active that nobody reads yet. Ends when the signal aborts.
   */
  async watch(names: readonly string[], signal: AbortSignal): Promise<void> {
    this.watched = names;
    const changed = new AsyncSignal(this.clock);
    const unsubscribe = this.onChange(() => changed.notify());
    signal.addEventListener('abort', () => changed.notify(), { once: true });
    while (!signal.aborted) {
      const results = await Promise.all(names.map((name) => this.isCurrent(name).catch(reportAndReturn(WATCH, false))));
      await changed.wait(results.every((isCurrent) => isCurrent) ? undefined : CACHE_MS);
    }
    unsubscribe();
  }

  private async isCurrent(name: string): Promise<boolean> {
    const build = this.findActive(name);
    return build !== null && this.hasCaughtUp(name, build, 0);
  }

  /**
   * Runs `work` with the active build; no switch happens before `work` ends.
   * @throws StoreUnavailable when there is no active build, or it has not caught up since this process started
   */
  async read<T>(projection: Versioned, work: (build: string) => Promise<T>): Promise<T> {
    const name = collectionOf(projection);
    if (this.isCatalogueOld) await this.refresh();
    const active = this.getActiveBuild(name);
    if (active.build === null) await this.waitForFirstBuild(active);
    return active.read(name, (build) =>
      this.caughtUp.has(build) ? work(build) : this.readCaughtUp(name, build, work),
    );
  }

  /** Returns whether the active build reaches the position within `ms`. */
  async waitUntil(projection: Versioned, position: Position, ms: number): Promise<boolean> {
    if (this.isCatalogueOld) await this.refresh();
    const name = collectionOf(projection);
    const { build } = this.getActiveBuild(name);
    return build !== null && this.waiters.waitUntil(build, position, this.getEntry(name).paused ? 0 : ms);
  }

  /** Like `read`; marks the context as stale when the build has not reached the position of the context. */
  readAtPosition<T>(
    projection: Versioned,
    progress: ConsistencyContext,
    work: (build: string) => Promise<T>,
  ): Promise<T> {
    return this.read(projection, (build) => {
      const isKnown = progress.isStale || this.waiters.hasReached(build, progress.position);
      return isKnown ? work(build) : this.readUnknown(build, progress, work);
    });
  }

  refresh(): Promise<void> {
    this.refreshing ??= this.loadCatalogue().finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  /** @throws BuildRefused, or any error of `transition` */
  async change(name: string, transition: (entry: Entry) => Entry): Promise<Entry> {
    const entry = await changeEntry(this.buildCatalogue, name, transition);
    await this.refreshing;
    await this.refresh();
    return entry;
  }

  /** Calls the listener after each detected change of the catalogue; the returned function unsubscribes it. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async waitForFirstBuild(active: ActiveBuild): Promise<void> {
    const end = this.clock.monotonic() + TIMEOUT_MS;
    while (active.build === null && this.clock.monotonic() < end) {
      await this.clock.sleep(POLL_MS);
      if (this.isCatalogueOld) await this.refresh();
    }
  }

  private async readCaughtUp<T>(name: string, build: string, work: (build: string) => Promise<T>): Promise<T> {
    if (await this.hasCaughtUp(name, build, TIMEOUT_MS)) return work(build);
    throw new StoreUnavailable(`${build} has not caught up since this process started`, false);
  }

  private async readUnknown<T>(
    build: string,
    progress: ConsistencyContext,
    work: (build: string) => Promise<T>,
  ): Promise<T> {
    if (!(await this.waiters.waitUntil(build, progress.position, 0))) progress.isStale = true;
    return work(build);
  }

  private async hasCaughtUp(name: string, build: string, ms: number): Promise<boolean> {
    if (this.caughtUp.has(build)) return true;
    if (!this.getEntry(name).paused && !(await this.waiters.waitUntil(build, this.floor, ms))) return false;
    this.caughtUp.add(build);
    return true;
  }

  private get isCatalogueOld(): boolean {
    return this.clock.monotonic() - this.loadedAt >= CACHE_MS;
  }

  private async loadCatalogue(): Promise<void> {
    const asked = this.clock.monotonic();
    const before = this.catalogue;
    this.catalogue = await readEntries(this.buildCatalogue);
    this.loadedAt = asked;
    for (const [name, activeBuild] of this.activeBuilds) this.followCatalogue(name, activeBuild);
    if (!isSame(before, this.catalogue)) for (const listener of [...this.listeners]) listener();
  }

  private getActiveBuild(name: string): ActiveBuild {
    const known = this.activeBuilds.get(name);
    if (known !== undefined) return known;
    const { store, waiters, clock } = this;
    const created = new ActiveBuild(this.findActive(name), { store, waiters, clock });
    this.activeBuilds.set(name, created);
    return created;
  }

  private followCatalogue(name: string, activeBuild: ActiveBuild): void {
    const wanted = this.findActive(name);
    const { build } = activeBuild;
    if (wanted === build) return;
    if (wanted === null || build === null || this.isLeaving(name, build)) activeBuild.build = wanted;
    // A failed switch is tried again at the next read of the catalogue.
    else void activeBuild.switchTo(wanted).catch(reportAndIgnore({ kind: 'build', name }));
  }

  /** Returns whether the build is no longer kept up to date: then the switch does not wait. */
  private isLeaving(name: string, build: string): boolean {
    const entry = this.getEntry(name).builds.find(({ n }) => buildOf(name, n) === build);
    return entry === undefined || entry.status === 'dropping';
  }
}

/** The embedded store returns the same object for an unchanged entry. */
function isSame(before: ReadonlyMap<string, Entry>, after: ReadonlyMap<string, Entry>): boolean {
  if (before.size !== after.size) return false;
  return [...after].every(([name, entry]) => entry === before.get(name) || isEqualJson(entry, before.get(name)));
}
