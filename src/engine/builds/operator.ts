import { Injectable } from '@nestjs/common';
import { Clock, iso, Random } from '../../kernel/clock.js';
import { crashPoint } from '../../kernel/crash-points.js';
import { EventStore } from '../../kernel/event-store.js';
import { Holder } from '../../kernel/holder.js';
import { buildOf, collectionOf } from '../../kernel/projection.js';
import { ReadModels } from '../../kernel/read-models.js';
import { Leases } from '../leases.js';
import { Stopped } from '../patience.js';
import { Registry } from '../registry.js';
import { allAhead, type BuiltAhead } from './ahead.js';
import type { BuildProgress } from './build.js';
import { Builds } from './builds.js';
import * as catalogue from './catalogue.js';
import { BuildRefused, unfinished, type Entry } from './catalogue.js';
import { dropBuild } from './dropping.js';
import { leaseOf, makeBuild } from './making.js';
import { projectionNamed, versionNamed } from './naming.js';
import { repaired, unblocked, type Repair } from './repair.js';
import { SharedLog } from './shared-log.js';
import { statusOf, type ProjectionStatus } from './status.js';
import { verified, type Verification } from './verification.js';

export interface RebuildOptions {
  /** Whether reads use the new build as soon as it is complete. */
  readonly switch: boolean;
  readonly onProgress?: (progress: BuildProgress) => void;
  /** Stops the rebuild in a state from which the same call resumes. */
  readonly signal?: AbortSignal;
}

const NEVER = new AbortController().signal;

/**
 * Operator commands for builds; they work with and without a running service. A projection is named `products`, for the
 * newest version in the code, or `products@1`. A command that is not possible throws BuildRefused.
 */
@Injectable()
export class BuildOperator {
  private readonly tools: { store: EventStore; readModels: ReadModels; builds: Builds; clock: Clock; random: Random; log: SharedLog };
  private leases = 0;

  constructor(
    store: EventStore,
    readModels: ReadModels,
    private readonly registry: Registry,
    private readonly builds: Builds,
    clock: Clock,
    random: Random,
    private readonly holder: Holder,
  ) {
    this.tools = { store, readModels, builds, clock, random, log: new SharedLog(store, clock) };
  }

  /** Returns every projection in the code, and every other version that has builds. */
  async list(): Promise<ProjectionStatus[]> {
    await this.builds.look();
    const kept = [...this.builds.entries].filter(([, { builds }]) => builds.length > 0).map(([name]) => name);
    const names = new Set([...this.registry.projections.map((projection) => collectionOf(projection)), ...kept]);
    return Promise.all([...names].sort().map((name) => this.statusNamed(name)));
  }

  async status(projection: string): Promise<ProjectionStatus> {
    return this.statusNamed(await this.named(projection));
  }

  /**
   * Runs a new build beside the active one, or resumes the unfinished one.
   * @throws PoisonEvent when it cannot continue; AbortedError
   */
  async rebuild(projection: string, { switch: switched, onProgress, signal = NEVER }: RebuildOptions): Promise<{ readonly build: string }> {
    const name = await this.named(projection);
    const map = projectionNamed(name, this.registry);
    const n = unfinished(this.builds.entry(name))?.n ?? this.builds.entry(name).next;
    const build = buildOf(name, n);
    await this.underLease(build, signal, async (held) => {
      await this.builds.change(name, (entry) => this.begunOrResumed(entry, n));
      await makeBuild({ projection: map, n, switched, onProgress }, this.builds, this.tools, held);
    });
    return { build };
  }

  /**
   * Runs a first build for every version in the code without one, with one shared read of the log. Processes with older
   * code are not affected.
   * @returns the completed builds, and the errors of the others
   */
  async buildAhead({ onProgress, signal = NEVER }: Omit<RebuildOptions, 'switch'> = {}): Promise<BuiltAhead> {
    await this.builds.look();
    const names = this.registry.projections.map((projection) => collectionOf(projection));
    const missing = names.filter((name) => this.builds.entry(name).active === null);
    const outcome = await allAhead(missing, (name, report) => this.rebuild(name, { switch: true, onProgress: report, signal }), onProgress);
    if (signal.aborted) throw new Stopped();
    return outcome;
  }

  /** Activates a build: by default the newest ready one. */
  async switch(projection: string, n?: number): Promise<{ readonly build: string }> {
    const name = await this.named(projection);
    crashPoint('during-build-switch');
    const { active } = await this.builds.change(name, (entry) => catalogue.switched(entry, n ?? newestReady(entry)));
    return { build: buildOf(name, active!) };
  }

  /** Activates the previously active build. */
  async rollback(projection: string): Promise<{ readonly build: string }> {
    const name = await this.named(projection);
    const { active } = await this.builds.change(name, catalogue.rolledBack);
    return { build: buildOf(name, active!) };
  }

  /**
   * Removes a build permanently; for a version that is not in the code, all its builds. Takes some seconds, and longer
   * for a large build.
   */
  async drop(projection: string, n?: number, signal: AbortSignal = NEVER): Promise<{ readonly builds: readonly string[] }> {
    const name = await this.named(projection);
    const isServed = this.registry.projections.some((one) => collectionOf(one) === name);
    if (!isServed && n === undefined) await this.builds.change(name, catalogue.droppedWhole);
    const entry = this.builds.entry(name);
    const wanted = isServed || n !== undefined ? [n ?? onlyDroppable(entry)] : entry.builds.map((one) => one.n);
    await Promise.all(wanted.map((one) => this.dropOne(name, one, signal)));
    return { builds: wanted.map((one) => buildOf(name, one)) };
  }

  /** Pauses the builds of a projection in all processes. */
  async pause(projection: string): Promise<void> {
    await this.builds.change(await this.named(projection), catalogue.paused);
  }

  async resume(projection: string): Promise<void> {
    await this.builds.change(await this.named(projection), catalogue.followedAgain);
  }

  /**
   * Compares the active build with the log, each document up to its own position, while writes continue.
   * @param options `sample`: approximate number of documents, from the whole collection; all by default
   */
  async verify(
    projection: string,
    { sample, signal = NEVER }: { readonly sample?: number; readonly signal?: AbortSignal } = {},
  ): Promise<Verification> {
    const name = await this.named(projection);
    const { active } = this.builds.entry(name);
    if (active === null) throw new BuildRefused(`${name} has no active build`);
    return verified(projectionNamed(name, this.registry), buildOf(name, active), this.tools, { sample, signal });
  }

  /**
   * Folds one document again from the log in every followed build, including its dead letters. Returns the names of the
   * builds in which the document differed.
   */
  async rebuildKey(projection: string, id: string): Promise<{ readonly repaired: readonly string[] }> {
    const name = await this.named(projection);
    const map = projectionNamed(name, this.registry);
    const builds = catalogue.followed({ ...this.builds.entry(name), paused: false }).map(({ n }) => buildOf(name, n));
    if (builds.length === 0) throw new BuildRefused(`${name} has no build that is followed`);
    const repairs = new Map<string, Repair>();
    for (const build of builds) {
      repairs.set(build, await repaired(map, id, build, this.tools));
      if (await unblocked(map, id, build, this.tools)) await this.builds.change(name, catalogue.lettersChanged);
    }
    if (builds.every((build) => repairs.get(build) === 'unknown'))
      throw new BuildRefused(`there is no document ${id}: the log has no event of it`);
    return { repaired: builds.filter((build) => repairs.get(build) === 'mended') };
  }

  private async named(projection: string): Promise<string> {
    await this.builds.look();
    return versionNamed(projection, this.registry, this.builds.entries);
  }

  private statusNamed(name: string): Promise<ProjectionStatus> {
    const isServed = this.registry.projections.some((projection) => collectionOf(projection) === name);
    return statusOf(name, isServed, this.builds.entry(name), this.tools);
  }

  private begunOrResumed(entry: Entry, n: number): Entry {
    if (entry.next === n) return catalogue.begun(entry, iso(this.tools.clock.now()));
    return catalogue.resumed(entry, n);
  }

  private async dropOne(name: string, n: number, signal: AbortSignal): Promise<void> {
    await this.underLease(buildOf(name, n), signal, async (held) => {
      await this.builds.change(name, (entry) => catalogue.dropping(entry, n));
      await dropBuild(name, n, this.tools, held);
    });
  }

  /** Each call is a separate lease holder: even one process does no work twice at a time. */
  private async underLease(build: string, signal: AbortSignal, work: (held: AbortSignal) => Promise<void>): Promise<void> {
    const { readModels, clock, random } = this.tools;
    const leases = new Leases(readModels, clock, random, `${this.holder.name}:${++this.leases}`);
    try {
      if (await leases.tryOnce(leaseOf(build), signal, work)) return;
    } catch (error) {
      if (error instanceof Stopped && !signal.aborted)
        throw new BuildRefused(`${error.failing?.error ?? `the lease on ${build} was lost`}: run the command again to continue`);
      throw error;
    }
    throw new BuildRefused(`another process works on ${build}`);
  }
}

function newestReady({ builds }: Entry): number {
  const ready = builds.findLast(({ status }) => status === 'ready');
  if (ready === undefined) throw new BuildRefused('no build is ready to be switched to');
  return ready.n;
}

function onlyDroppable({ builds, active }: Entry): number {
  const [first, ...others] = builds.filter(({ n }) => n !== active);
  if (first === undefined) throw new BuildRefused('there is no build except the active one');
  if (others.length > 0) throw new BuildRefused(`choose one of the builds: ${[first, ...others].map(({ n }) => `#${n}`).join(', ')}`);
  return first.n;
}
