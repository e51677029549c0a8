import { Injectable } from '@nestjs/common';
import { Checkpoints } from '../../kernel/checkpoints.js';
import { Clock, Random, toIso } from '../../kernel/clock.js';
import { passCrashPoint } from '../../kernel/crash-points.js';
import { EventStore } from '../../kernel/event-store.js';
import { Leases } from '../../kernel/leases.js';
import { ProcessId } from '../../kernel/process-id.js';
import { buildOf, collectionOf } from '../../kernel/projection.js';
import { ReadModels } from '../../kernel/read-models.js';
import { LeaseRunner } from '../lease-runner.js';
import { Registry } from '../registry.js';
import { AbortedError } from '../retrier.js';
import type { BuildProgress, BuildTools } from './build-filler.js';
import { Builds } from './builds.js';
import * as catalogue from './catalogue.js';
import { BuildRefused, type Entry, findUnfinished, resolveProjection, resolveVersion } from './catalogue.js';
import { type BuildAheadResult, buildAll, dropBuild, leaseNameOf, runBuild } from './run-build.js';
import { SharedLog } from './shared-log.js';
import { loadStatus, type ProjectionStatus } from './status.js';
import { type Repair, repairDocument, unblockDocument, type Verification, verifyBuild } from './verification.js';

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
  private readonly tools: BuildTools & { readonly builds: Builds };
  private leaseCount = 0;

  constructor(
    store: EventStore,
    readModels: ReadModels,
    checkpoints: Checkpoints,
    private readonly leases: Leases,
    private readonly registry: Registry,
    private readonly builds: Builds,
    clock: Clock,
    random: Random,
    private readonly processId: ProcessId,
  ) {
    this.tools = { store, readModels, checkpoints, builds, clock, random, log: new SharedLog(store, clock) };
  }

  /** Returns every projection in the code, and every other version that has builds. */
  async list(): Promise<ProjectionStatus[]> {
    await this.builds.refresh();
    const stored = [...this.builds.entries].filter(([, { builds }]) => builds.length > 0).map(([name]) => name);
    const names = new Set([...this.registry.projections.map((projection) => collectionOf(projection)), ...stored]);
    return Promise.all([...names].sort().map((name) => this.loadStatus(name)));
  }

  async getStatus(projection: string): Promise<ProjectionStatus> {
    return this.loadStatus(await this.resolveName(projection));
  }

  /**
   * Runs a new build beside the active one, or resumes the unfinished one.
   * @throws PoisonEvent when it cannot continue; AbortedError
   */
  async rebuild(
    projection: string,
    { switch: activates, onProgress, signal = NEVER }: RebuildOptions,
  ): Promise<{ readonly build: string }> {
    const name = await this.resolveName(projection);
    const map = resolveProjection(name, this.registry);
    const n = findUnfinished(this.builds.getEntry(name))?.n ?? this.builds.getEntry(name).next;
    const build = buildOf(name, n);
    await this.runUnderLease(build, signal, async (held) => {
      await this.builds.change(name, (entry) => this.startOrResume(entry, n));
      await runBuild({ projection: map, n, activates, onProgress }, this.builds, this.tools, held);
    });
    return { build };
  }

  /**
   * Runs a first build for every version in the code without one, with one shared read of the log. Processes with older
   * code are not affected.
   * @returns the completed builds, and the errors of the others
   */
  async buildAhead({ onProgress, signal = NEVER }: Omit<RebuildOptions, 'switch'> = {}): Promise<BuildAheadResult> {
    await this.builds.refresh();
    const names = this.registry.projections.map((projection) => collectionOf(projection));
    const missing = names.filter((name) => this.builds.getEntry(name).active === null);
    const outcome = await buildAll(
      missing,
      (name, report) => this.rebuild(name, { switch: true, onProgress: report, signal }),
      onProgress,
    );
    if (signal.aborted) throw new AbortedError();
    return outcome;
  }

  /** Activates a build: by default the newest ready one. */
  async switch(projection: string, n?: number): Promise<{ readonly build: string }> {
    const name = await this.resolveName(projection);
    passCrashPoint('during-build-switch');
    const { active } = await this.builds.change(name, (entry) =>
      catalogue.activate(entry, n ?? catalogue.findNewestReady(entry)),
    );
    return { build: buildOf(name, active!) };
  }

  /** Activates the previously active build. */
  async rollback(projection: string): Promise<{ readonly build: string }> {
    const name = await this.resolveName(projection);
    const { active } = await this.builds.change(name, catalogue.rollBack);
    return { build: buildOf(name, active!) };
  }

  /**
   * Removes a build permanently; for a version that is not in the code, all its builds. Takes some seconds, and longer
   * for a large build.
   */
  async drop(
    projection: string,
    n?: number,
    signal: AbortSignal = NEVER,
  ): Promise<{ readonly builds: readonly string[] }> {
    const name = await this.resolveName(projection);
    const isServed = this.registry.projections.some((one) => collectionOf(one) === name);
    if (!isServed && n === undefined) await this.builds.change(name, catalogue.dropAll);
    const entry = this.builds.getEntry(name);
    const wanted =
      isServed || n !== undefined ? [n ?? catalogue.findOnlyDroppable(entry)] : entry.builds.map((one) => one.n);
    await Promise.all(wanted.map((one) => this.dropOne(name, one, signal)));
    return { builds: wanted.map((one) => buildOf(name, one)) };
  }

  /** Pauses the builds of a projection in all processes. */
  async pause(projection: string): Promise<void> {
    await this.builds.change(await this.resolveName(projection), catalogue.pause);
  }

  async resume(projection: string): Promise<void> {
    await this.builds.change(await this.resolveName(projection), catalogue.unpause);
  }

  /**
   * Compares the active build with the log, each document up to its own position, while writes continue.
   * @param options `sample`: approximate number of documents, from the whole collection; all by default
   */
  async verify(
    projection: string,
    { sample, signal = NEVER }: { readonly sample?: number; readonly signal?: AbortSignal } = {},
  ): Promise<Verification> {
    const name = await this.resolveName(projection);
    const { active } = this.builds.getEntry(name);
    if (active === null) throw new BuildRefused(`${name} has no active build`);
    return verifyBuild(resolveProjection(name, this.registry), buildOf(name, active), this.tools, { sample, signal });
  }

  /**
   * Folds one document again from the log in every followed build, including its dead letters. Returns the names of the
   * builds in which the document differed.
   */
  async rebuildKey(projection: string, id: string): Promise<{ readonly repaired: readonly string[] }> {
    const name = await this.resolveName(projection);
    const map = resolveProjection(name, this.registry);
    const builds = catalogue
      .listFollowed({ ...this.builds.getEntry(name), paused: false })
      .map(({ n }) => buildOf(name, n));
    if (builds.length === 0) throw new BuildRefused(`${name} has no build that is followed`);
    const repairs = new Map<string, Repair>();
    for (const build of builds) {
      repairs.set(build, await repairDocument(map, id, build, this.tools));
      if (await unblockDocument(map, id, build, this.tools)) await this.builds.change(name, catalogue.bumpDeadLetters);
    }
    if (builds.every((build) => repairs.get(build) === 'notFound'))
      throw new BuildRefused(`there is no document ${id}: the log has no event of it`);
    return { repaired: builds.filter((build) => repairs.get(build) === 'repaired') };
  }

  private async resolveName(projection: string): Promise<string> {
    await this.builds.refresh();
    return resolveVersion(projection, this.registry, this.builds.entries);
  }

  private loadStatus(name: string): Promise<ProjectionStatus> {
    const isServed = this.registry.projections.some((projection) => collectionOf(projection) === name);
    return loadStatus(name, isServed, this.builds.getEntry(name), this.tools);
  }

  private startOrResume(entry: Entry, n: number): Entry {
    if (entry.next === n) return catalogue.start(entry, toIso(this.tools.clock.now()));
    return catalogue.resume(entry, n);
  }

  private async dropOne(name: string, n: number, signal: AbortSignal): Promise<void> {
    await this.runUnderLease(buildOf(name, n), signal, async (held) => {
      await this.builds.change(name, (entry) => catalogue.startDrop(entry, n));
      await dropBuild(name, n, this.tools, held);
    });
  }

  /**
   * Continues after the lease was lost, for example on a busy machine, unless another process took it. Each call is a
   * separate lease holder: even one process does no work twice at a time.
   */
  private async runUnderLease(
    build: string,
    signal: AbortSignal,
    work: (held: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const { clock, random } = this.tools;
    const leaseRunner = new LeaseRunner(this.leases, clock, random, `${this.processId.value}:${++this.leaseCount}`);
    let outcome: boolean | 'lost';
    do
      outcome = await leaseRunner
        .tryOnce(leaseNameOf(build), signal, work)
        .catch((error: unknown) => this.requireLostLease(error, signal));
    while (outcome === 'lost');
    if (!outcome) throw new BuildRefused(`another process works on ${build}`);
  }

  /** @throws BuildRefused when a store failed until the lease was lost; any other error */
  private requireLostLease(error: unknown, signal: AbortSignal): 'lost' {
    if (!(error instanceof AbortedError) || signal.aborted) throw error;
    if (error.failing === null) return 'lost';
    throw new BuildRefused(`${error.failing.error}: run the command again to continue`);
  }
}
