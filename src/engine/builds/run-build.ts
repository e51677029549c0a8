import { passCrashPoint } from '../../kernel/crash-points.js';
import { buildOf, collectionOf, type Projection } from '../../kernel/projection.js';
import { PoisonEvent } from '../projections/apply-event.js';
import { Build, type BuildProgress, type BuildTools } from './build.js';
import type { Builds } from './builds.js';
import { complete, fail, requireBuild } from './catalogue.js';

interface BuildRun<D extends object> {
  readonly projection: Projection<D>;
  readonly n: number;
  /** Whether reads use the build as soon as it is complete; the first build of a projection is always activated. */
  readonly activates: boolean;
  readonly onProgress?: (progress: BuildProgress) => void;
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
  { projection, n, activates: switched, onProgress }: BuildRun<D>,
  builds: Builds,
  tools: BuildTools,
  held: AbortSignal,
): Promise<void> {
  const name = collectionOf(projection);
  await builds.refresh();
  // The previous holder of the lease has completed it.
  if (requireBuild(builds.getEntry(name), n).status !== 'building') return;
  try {
    await new Build(projection, buildOf(name, n), tools, onProgress).run(held);
  } catch (error) {
    if (error instanceof PoisonEvent) await builds.change(name, (entry) => fail(entry, n, error.message));
    throw error;
  }
  passCrashPoint('during-build-switch');
  await builds.change(name, (entry) => complete(entry, n, switched));
}
