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
  /** Reads use the new build as soon as it is finished. */
  readonly switch: boolean;
  readonly onProgress?: (progress: BuildProgress) => void;
  /** Stops in a state from which the same call resumes. */
  readonly signal?: AbortSignal;
}

const NEVER = new AbortController().signal;

/**
 * What operators do with builds, with the service running beside it or not. A projection is named `products`, for the newest version
 * that the code has, or `products@1`. What cannot be done is thrown as BuildRefused.
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

  /** Every projection that the code has, and every other version of which there are builds. */
  async list(): Promise<ProjectionStatus[]> {
    await this.builds.look();
    const kept = [...this.builds.entries].filter(([, { builds }]) => builds.length > 0).map(([name]) => name);
    const names = new Set([...this.registry.projections.map((projection) => collectionOf(projection)), ...kept]);
    return Promise.all([...names].sort().map((name) => this.statusNamed(name)));
  }

  async status(projection: string): Promise<ProjectionStatus> {
    return this.statusNamed(await this.named(projection));
  }

  /** A new build beside the active one, or the one that is unfinished. @throws Poison where it cannot go on; Stopped */
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
   * Makes a build of every version that the code has and that has none yet, all in one read of the log. What runs with older code goes on
   * and does not see them. @returns what was built, and why the others were not
   */
  async buildAhead({ onProgress, signal = NEVER }: Omit<RebuildOptions, 'switch'> = {}): Promise<BuiltAhead> {
    await this.builds.look();
    const names = this.registry.projections.map((projection) => collectionOf(projection));
    const missing = names.filter((name) => this.builds.entry(name).active === null);
    const outcome = await allAhead(missing, (name, report) => this.rebuild(name, { switch: true, onProgress: report, signal }), onProgress);
    if (signal.aborted) throw new Stopped();
    return outcome;
  }

  /** Reads use the build from now on: the newest that is ready, unless told. */
  async switch(projection: string, n?: number): Promise<{ readonly build: string }> {
    const name = await this.named(projection);
    crashPoint('during-build-switch');
    const { active } = await this.builds.change(name, (entry) => catalogue.switched(entry, n ?? newestReady(entry)));
    return { build: buildOf(name, active!) };
  }

  /** Reads use the build that they used before. */
  async rollback(projection: string): Promise<{ readonly build: string }> {
    const name = await this.named(projection);
    const { active } = await this.builds.change(name, catalogue.rolledBack);
    return { build: buildOf(name, active!) };
  }

  /** Takes a build away for good; of a version that the code no longer has, all of them. Takes some seconds, and more for a large one. */
  async drop(projection: string, n?: number, signal: AbortSignal = NEVER): Promise<{ readonly builds: readonly string[] }> {
    const name = await this.named(projection);
    const isServed = this.registry.projections.some((one) => collectionOf(one) === name);
    if (!isServed && n === undefined) await this.builds.change(name, catalogue.droppedWhole);
    const entry = this.builds.entry(name);
    const wanted = isServed || n !== undefined ? [n ?? onlyDroppable(entry)] : entry.builds.map((one) => one.n);
    await Promise.all(wanted.map((one) => this.dropOne(name, one, signal)));
    return { builds: wanted.map((one) => buildOf(name, one)) };
  }

  /** Its builds stay where they are, for all processes. */
  async pause(projection: string): Promise<void> {
    await this.builds.change(await this.named(projection), catalogue.paused);
  }

  async resume(projection: string): Promise<void> {
    await this.builds.change(await this.named(projection), catalogue.followedAgain);
  }

  /**
   * Compares what is served with what the log tells, up to each document's own position, while writes go on.
   * @param options `sample`: about how many documents, from all over; all, unless told
   */
  async verify(
    projection: string,
    { sample, signal = NEVER }: { readonly sample?: number; readonly signal?: AbortSignal } = {},
  ): Promise<Verification> {
    const name = await this.named(projection);
    const { active } = this.builds.entry(name);
    if (active === null) throw new BuildRefused(`${name} has no build that is served`);
    return verified(projectionNamed(name, this.registry), buildOf(name, active), this.tools, { sample, signal });
  }

  /** Folds one document from the log anew, in every build that is followed, also what is set aside. The names of those in which it was another. */
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
      throw new BuildRefused(`there is no document ${id}: the log tells nothing of it`);
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

  /** Each call is a holder of its own: even this process does nothing twice at once. */
  private async underLease(build: string, signal: AbortSignal, work: (held: AbortSignal) => Promise<void>): Promise<void> {
    const { readModels, clock, random } = this.tools;
    const leases = new Leases(readModels, clock, random, `${this.holder.name}:${++this.leases}`);
    try {
      if (await leases.tryOnce(leaseOf(build), signal, work)) return;
    } catch (error) {
      if (error instanceof Stopped && !signal.aborted)
        throw new BuildRefused(`${error.failing?.error ?? `the lease on ${build} was lost`}: the same again goes on from there`);
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
  if (first === undefined) throw new BuildRefused('there is no build but the active one');
  if (others.length > 0) throw new BuildRefused(`which build? ${[first, ...others].map(({ n }) => `#${n}`).join(', ')}`);
  return first.n;
}
