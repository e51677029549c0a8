import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from '../config.js';
import type { BuildOperator } from '../engine/builds/operator.js';
import { CannotDo, withService } from './toolbox.js';

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
    const { BuildOperator } = await import('../engine/builds/operator.js');
    const names = await projectionNames(service);
    for (const projection of projections) if (!names.has(projection)) throw unknown(projection, names);
    return work(service.get(BuildOperator, { strict: false }));
  }, config);
}

/** Returns the versioned name of every projection in the code: `products@1`. */
export async function currentNames(builds: BuildOperator): Promise<readonly string[]> {
  return (await builds.list()).filter(({ current }) => current).map(({ name }) => name);
}

/**
 * Returns the names of all projections in the code and of all builds, with and without version: `products`,
 * `products@1`.
 */
export async function projectionNames(service: INestApplicationContext): Promise<ReadonlySet<string>> {
  const [{ Registry }, { Builds }, { collectionOf }] = await Promise.all([
    import('../engine/registry.js'),
    import('../engine/builds/builds.js'),
    import('../kernel/projection.js'),
  ]);
  const builds = service.get(Builds, { strict: false });
  await builds.look();
  const { projections } = service.get(Registry, { strict: false });
  return new Set([...projections.flatMap((one) => [one.name, collectionOf(one)]), ...builds.entries.keys()]);
}

export function unknown(projection: string, names: ReadonlySet<string>): CannotDo {
  const known = [...names].filter((name) => !name.includes('@')).sort();
  return new CannotDo(`there is no projection ${projection}; existing projections: ${known.join(', ')}`);
}
