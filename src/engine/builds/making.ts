import { crashPoint } from '../../kernel/crash-points.js';
import { buildOf, collectionOf, type Projection } from '../../kernel/projection.js';
import { Poison } from '../projecting/folding.js';
import { Build, type BuildProgress, type BuildTools } from './build.js';
import type { Builds } from './builds.js';
import { buildIn, caughtUp, failed } from './catalogue.js';

interface Making<D extends object> {
  readonly projection: Projection<D>;
  readonly n: number;
  /** Reads use it as soon as it is finished; a projection's first build is used in any case. */
  readonly switched: boolean;
  readonly onProgress?: (progress: BuildProgress) => void;
}

/** The lease under which a build is filled or taken away. */
export function leaseOf(build: string): string {
  return `build:${build}`;
}

/** Fills the build, under its lease, and writes down what became of it. @throws Poison, Stopped */
export async function makeBuild<D extends object>(
  { projection, n, switched, onProgress }: Making<D>,
  builds: Builds,
  tools: BuildTools,
  held: AbortSignal,
): Promise<void> {
  const name = collectionOf(projection);
  await builds.look();
  // Who held the lease before has finished it.
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
