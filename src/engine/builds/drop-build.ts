import type { Clock } from '../../kernel/clock.js';
import { buildOf } from '../../kernel/projection.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { removeBuildDeadLetters } from '../projections/dead-letters.js';
import type { Builds } from './builds.js';
import { remove } from './catalogue.js';

/** Longer than any process needs to see that the build may no longer be read or followed. */
const PROPAGATION_MS = 5_000;

/** Removes a build that is marked as dropping. */
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
