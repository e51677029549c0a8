import { crashPoint } from '../../kernel/crash-points.js';
import { buildOf, collectionOf, type Projection } from '../../kernel/projection.js';
import { Poison } from '../projecting/folding.js';
import { Build, type BuildProgress, type BuildTools } from './build.js';
import type { Builds } from './builds.js';
import { buildIn, caughtUp, failed } from './catalogue.js';

interface Making<D extends object> {
  readonly projection: Projection<D>;
  readonly n: number;
  /** Whether reads use the build as soon as it is complete; the first build of a projection is always activated. */
  readonly switched: boolean;
  readonly onProgress?: (progress: BuildProgress) => void;
}

/** Returns the name of the lease for filling or dropping a build. */
export function leaseOf(build: string): string {
  return `build:${build}`;
}

/**
 * Fills the build under its lease, and records the result in the catalogue.
 * @throws PoisonEvent, AbortedError
 */
export async function makeBuild<D extends object>(
  { projection, n, switched, onProgress }: Making<D>,
  builds: Builds,
  tools: BuildTools,
  held: AbortSignal,
): Promise<void> {
  const name = collectionOf(projection);
  await builds.look();
  // The previous holder of the lease has completed it.
  if (buildIn(builds.entry(name), n).status !== 'building') return;
  try {
    await new Build(projection, buildOf(name, n), tools, onProgress).run(held);
  } catch (error) {
    if (error instanceof Poison) await builds.change(name, (entry) => failed(entry, n, error.message));
    throw error;
  }
  crashPoint('during-build-switch');
  await builds.change(name, (entry) => caughtUp(entry, n, switched));
}
