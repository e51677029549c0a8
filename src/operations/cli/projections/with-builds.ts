import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from '../../../config.js';
import type { BuildOperator } from '../../../engine/builds/build-operator.js';
import { CliError, withService } from '../cli.js';

/**
 * Runs the work of an operator on builds.
 * @throws CliError naming the existing projections when a given one does not exist
 */
export async function withBuilds<T>(
  projections: readonly string[],
  work: (builds: BuildOperator) => Promise<T>,
  config?: Config,
): Promise<T> {
  return withService(async (service) => {
    const { BuildOperator } = await import('../../../engine/builds/build-operator.js');
    const names = await listProjectionNames(service);
    for (const projection of projections) if (!names.has(projection)) throw toUnknownProjectionError(projection, names);
    return work(service.get(BuildOperator, { strict: false }));
  }, config);
}

/** Returns the versioned name of every projection in the code: `products@1`. */
export async function listCurrentNames(builds: BuildOperator): Promise<readonly string[]> {
  return (await builds.list()).filter(({ current }) => current).map(({ name }) => name);
}

/**
 * Returns the names of all projections in the code and of all builds, with and without version: `products`,
 * `products@1`.
 */
export async function listProjectionNames(service: INestApplicationContext): Promise<ReadonlySet<string>> {
  const [{ Registry }, { Builds }, { collectionOf }] = await Promise.all([
    import('../../../engine/registry.js'),
    import('../../../engine/builds/builds.js'),
    import('../../../kernel/projection.js'),
  ]);
  const builds = service.get(Builds, { strict: false });
  await builds.refresh();
  const { projections } = service.get(Registry, { strict: false });
  return new Set([
    ...projections.flatMap((projection) => [projection.name, collectionOf(projection)]),
    ...builds.entries.keys(),
  ]);
}

export function toUnknownProjectionError(projection: string, names: ReadonlySet<string>): CliError {
  const known = [...names].filter((name) => !name.includes('@')).sort();
  return new CliError(`there is no projection ${projection}; existing projections: ${known.join(', ')}`);
}
