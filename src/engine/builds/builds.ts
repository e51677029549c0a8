import { Injectable } from '@nestjs/common';
import { sameJson } from '../../kernel/changes.js';
import { Clock } from '../../kernel/clock.js';
import { EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import { START, type Position } from '../../kernel/position.js';
import { buildOf, collectionOf, type Versioned } from '../../kernel/projection.js';
import { ReadModels } from '../../kernel/read-models.js';
import { Waiters } from '../following/waiters.js';
import { NO_BUILDS, type Entry } from './catalogue.js';
import { changeEntry, readEntries } from './entries.js';
import { Served } from './served.js';

/** Maximum age of the cached catalogue for a read. */
const KNOWN_MS = 250;
/** Time that a read waits for a first build, and for a build that has not caught up since this process started. */
const TIMEOUT_MS = 1_500;
const LOOK_AGAIN_MS = 25;

/** Knows from the catalogue which build of each projection this process reads. */
@Injectable()
export class Builds {
  private known: ReadonlyMap<string, Entry> = new Map();
  private knownAt = -Infinity;
  private looking: Promise<void> | null = null;
  private readonly listeners = new Set<() => void>();
  private readonly served = new Map<string, Served>();
  private watched: readonly string[] = [];
  private floor: Position = START;
  /** Builds that have reached the required position. */
  private readonly current = new Set<string>();

  constructor(
    private readonly readModels: ReadModels,
    private readonly store: EventStore,
    private readonly waiters: Waiters,
    private readonly clock: Clock,
  ) {}

  /** All catalogue entries as last read. */
  get entries(): ReadonlyMap<string, Entry> {
    return this.known;
  }

  entry(name: string): Entry {
    return this.known.get(name) ?? NO_BUILDS;
  }

  /** Returns the active build, or the one that reads are about to use; null when there is none. */
  activeOf(name: string): string | null {
    const { active } = this.entry(name);
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
  get behind(): readonly string[] {
    const active = this.watched.map((name) => this.activeOf(name)).filter((build) => build !== null);
    return active.filter((build) => !this.current.has(build));
  }

  /** Polls until each of these projections has caught up, or the signal aborts. */
  async watch(names: readonly string[], signal: AbortSignal): Promise<void> {
    this.watched = names;
    while (!signal.aborted) {
      const caughtUp = await Promise.all(names.map((name) => this.isCurrent(name).catch(() => false)));
      if (caughtUp.every((isCurrent) => isCurrent)) return;
      await this.clock.sleep(KNOWN_MS, signal);
    }
  }

  private async isCurrent(name: string): Promise<boolean> {
    const build = this.activeOf(name);
    return build !== null && this.hasCaughtUp(name, build, 0);
  }

  /**
   * Runs `work` with the active build; no switch happens before `work` ends.
   * @throws StoreUnavailable when there is no active build, or it has not caught up since this process started
   */
  async read<T>(projection: Versioned, work: (build: string) => Promise<T>): Promise<T> {
    const name = collectionOf(projection);
    await this.fresh();
    await this.firstBuild(name);
    return this.servedOf(name).read(name, async (build) => {
      if (await this.hasCaughtUp(name, build, TIMEOUT_MS)) return work(build);
      throw new StoreUnavailable(`${build} has not caught up since this process started`, false);
    });
  }

  /** Returns whether the active build reaches the position within `ms`. */
  async reaches(projection: Versioned, position: Position, ms: number): Promise<boolean> {
    await this.fresh();
    const name = collectionOf(projection);
    const { build } = this.servedOf(name);
    return build !== null && this.waiters.until(build, position, this.entry(name).paused ? 0 : ms);
  }

  /** Returns whether a build has reached the position now. */
  has(build: string, position: Position): Promise<boolean> {
    return this.waiters.until(build, position, 0);
  }

  /** Reads the catalogue now. */
  look(): Promise<void> {
    this.looking ??= this.lookOnce().finally(() => (this.looking = null));
    return this.looking;
  }

  /** @throws BuildRefused, or any error of `transition` */
  async change(name: string, transition: (entry: Entry) => Entry): Promise<Entry> {
    const entry = await changeEntry(this.readModels, name, transition);
    await this.looking;
    await this.look();
    return entry;
  }

  /** Calls the listener after each detected change of the catalogue; the returned function unsubscribes it. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async firstBuild(name: string): Promise<void> {
    const end = this.clock.monotonic() + TIMEOUT_MS;
    while (this.servedOf(name).build === null && this.clock.monotonic() < end) {
      await this.clock.sleep(LOOK_AGAIN_MS);
      await this.fresh();
    }
  }

  private async hasCaughtUp(name: string, build: string, ms: number): Promise<boolean> {
    if (this.current.has(build)) return true;
    if (!this.entry(name).paused && !(await this.waiters.until(build, this.floor, ms))) return false;
    this.current.add(build);
    return true;
  }

  private async fresh(): Promise<void> {
    if (this.clock.monotonic() - this.knownAt >= KNOWN_MS) await this.look();
  }

  private async lookOnce(): Promise<void> {
    const asked = this.clock.monotonic();
    const before = this.known;
    this.known = await readEntries(this.readModels);
    this.knownAt = asked;
    for (const [name, served] of this.served) this.follow(name, served);
    if (!sameJson([...before], [...this.known])) for (const listener of [...this.listeners]) listener();
  }

  private servedOf(name: string): Served {
    const kept = this.served.get(name);
    if (kept !== undefined) return kept;
    const served = new Served(this.activeOf(name), { store: this.store, waiters: this.waiters, clock: this.clock });
    this.served.set(name, served);
    return served;
  }

  private follow(name: string, served: Served): void {
    const active = this.activeOf(name);
    if (active === served.build) return;
    if (active === null || served.build === null || this.isLeaving(name, served.build)) served.build = active;
    // A failed switch is tried again at the next read of the catalogue.
    else void served.crossTo(active).catch(() => undefined);
  }

  /** Returns whether the build is no longer kept up to date: then the switch does not wait. */
  private isLeaving(name: string, build: string): boolean {
    const kept = this.entry(name).builds.find(({ n }) => buildOf(name, n) === build);
    return kept === undefined || kept.status === 'dropping';
  }
}
