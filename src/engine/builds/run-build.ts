import { reportParked } from '../../kernel/background-errors.js';
import type { Clock } from '../../kernel/clock.js';
import { passCrashPoint } from '../../kernel/crash-points.js';
import { buildOf, collectionOf, type Projection } from '../../kernel/projection.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { PoisonEvent } from '../projections/apply-event.js';
import { removeBuildDeadLetters } from '../projections/dead-letters.js';
import { BuildFiller, type BuildProgress, type BuildTools } from './build-filler.js';
import type { Builds } from './builds.js';
import { complete, fail, remove, requireBuild } from './catalogue.js';

/** Longer than any process needs to see that the build may no longer be read or followed. */
const PROPAGATION_MS = 5_000;

interface BuildRun<D extends object> {
  readonly projection: Projection<D>;
  readonly n: number;
  /** Whether reads use the build as soon as it is complete; the first build of a projection is always activated. */
  readonly activates: boolean;
  readonly onProgress?: (progress: BuildProgress) => void;
}

type Report = (progress: BuildProgress) => void;

export interface BuildAheadResult {
  readonly built: readonly string[];
  readonly failed: readonly { readonly projection: string; readonly error: string }[];
}

/** Returns the name of the lease for filling or dropping a build. */
export function leaseNameOf(build: string): string {
  return `build:${build}`;
}

/**
 * Fills the build under its lease, and records the result in the catalogue.
 * @throws PoisonEvent, AbortedError
 */
export async function runBuild<D extends object>(
  { projection, n, activates, onProgress }: BuildRun<D>,
  builds: Builds,
  tools: BuildTools,
  held: AbortSignal,
): Promise<void> {
  const name = collectionOf(projection);
  await builds.refresh();
  // The previous holder of the lease has completed it.
  if (requireBuild(builds.getEntry(name), n).status !== 'building') return;
  try {
    await new BuildFiller(projection, buildOf(name, n), tools, onProgress).run(held);
  } catch (error) {
    if (error instanceof PoisonEvent) {
      reportParked({ kind: 'build', name, item: buildOf(name, n) }, error);
      await builds.change(name, (entry) => fail(entry, n, error.message));
    }
    throw error;
  }
  passCrashPoint('during-build-switch');
  await builds.change(name, (entry) => complete(entry, n, activates));
}

export async function dropBuild(
  name: string,
  n: number,
  { builds, readModels, clock }: { readonly builds: Builds; readonly readModels: ReadModels; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  await clock.sleep(PROPAGATION_MS, signal);
  if (signal.aborted) return;
  await readModels.dropCollection(buildOf(name, n));
  await removeBuildDeadLetters(readModels, buildOf(name, n));
  await builds.change(name, (entry) => remove(entry, n));
}

/** Runs one build for each name, concurrently. A failed build does not stop the others. */
export async function buildAll(
  names: readonly string[],
  make: (name: string, report: Report) => Promise<{ readonly build: string }>,
  onProgress?: Report,
): Promise<BuildAheadResult> {
  const slowest = createSlowestReporter(names.length, onProgress);
  const outcomes = await Promise.allSettled(names.map((name) => make(name, (progress) => slowest(name, progress))));
  return {
    built: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.build] : [])),
    failed: outcomes.flatMap((outcome, i) =>
      outcome.status === 'rejected' ? [{ projection: names[i]!, error: describeError(outcome.reason) }] : [],
    ),
  };
}

/** Reports the build with the lowest position, once each build has reported. */
function createSlowestReporter(builds: number, onProgress: (progress: BuildProgress) => void = () => undefined) {
  const latest = new Map<string, BuildProgress>();
  return (name: string, progress: BuildProgress): void => {
    latest.set(name, progress);
    if (latest.size === builds) onProgress([...latest.values()].reduce((a, b) => (b.position < a.position ? b : a)));
  };
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
