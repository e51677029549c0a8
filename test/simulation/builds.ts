import { isDeepStrictEqual } from 'node:util';
import { followed, type Entry } from '../../src/engine/builds/catalogue.js';
import type { ReadModels } from '../../src/kernel/read-models.js';
import { buildOf, collectionOf } from '../../src/kernel/projection.js';
import type { World } from './world.js';

interface FollowedBuild {
  readonly name: string;
  readonly served: string | null;
  readonly isBehind: boolean;
}

/** Returns every build that consumers follow. */
export async function followedBuilds({ stores: { events, readModels } }: World): Promise<FollowedBuild[]> {
  const head = await events.head();
  const entries = (await readModels.catalogue()).map(({ name, value }) => ({ name, entry: value as Entry }));
  const builds = entries.flatMap(({ name, entry }) =>
    followed({ ...entry, paused: false }).map(({ n }) => ({
      name: buildOf(name, n),
      served: entry.active === null ? null : buildOf(name, entry.active),
    })),
  );
  return Promise.all(builds.map(async (build) => ({ ...build, isBehind: (await readModels.checkpoint(build.name)) < head })));
}

/** Returns the collections of projections without an active build. */
export async function unserved({ registry, stores: { readModels } }: World): Promise<string[]> {
  const entries = new Map((await readModels.catalogue()).map(({ name, value }) => [name, value as Entry]));
  return registry.projections.map(collectionOf).filter((name) => (entries.get(name)?.active ?? null) === null);
}

/** I3: finds followed builds that differ from the active build. Call it when all builds have caught up. */
export async function otherBuilds(world: World): Promise<string[]> {
  const { readModels } = world.stores;
  const others = (await followedBuilds(world)).filter(({ name, served }) => name !== served);
  const breaches = others.map(async ({ name, served }) => {
    if (served === null) return [`${name} is followed, but no build is active`];
    return isDeepStrictEqual(await all(name, readModels), await all(served, readModels))
      ? []
      : [`${name} holds other documents than ${served}`];
  });
  return (await Promise.all(breaches)).flat();
}

function all(build: string, readModels: ReadModels): Promise<object[]> {
  return readModels.find(build, { where: {}, orderBy: 'id', ascending: true, limit: 10_000 });
}
