import type { Builds } from '../../engine/builds/builds.js';
import type { Registry } from '../../engine/registry.js';
import { collectionOf } from '../../kernel/projection.js';
import { OperatorError } from './operator-error.js';

/**
 * Returns the names of all projections in the code and of all builds, with and without version: `products`,
 * `products@1`.
 */
async function listProjectionNames(builds: Builds, { projections }: Registry): Promise<ReadonlySet<string>> {
  await builds.refresh();
  return new Set([
    ...projections.flatMap((projection) => [projection.name, collectionOf(projection)]),
    ...builds.entries.keys(),
  ]);
}

/** @throws OperatorError naming the existing projections when one of these does not exist */
export async function requireProjections(names: readonly string[], builds: Builds, registry: Registry): Promise<void> {
  if (names.length === 0) return;
  const known = await listProjectionNames(builds, registry);
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return;
  const existing = [...known].filter((name) => !name.includes('@')).sort();
  throw new OperatorError(
    'not_found',
    `there is no projection ${unknown}; existing projections: ${existing.join(', ')}`,
  );
}
