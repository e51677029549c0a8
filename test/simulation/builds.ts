import { isDeepStrictEqual } from 'node:util';
import { type Entry, listFollowed } from '../../src/engine/builds/catalogue.js';
import { buildOf, collectionOf } from '../../src/kernel/projection.js';
import type { ReadModels } from '../../src/kernel/read-models.js';
import type { World } from './world.js';

interface FollowedBuild {
  readonly name: string;
  readonly active: string | null;
  readonly isLagging: boolean;
}

/** Returns every build that consumers follow. */
export async function findFollowedBuilds({ stores: { events, readModels } }: World): Promise<FollowedBuild[]> {
  const head = await events.readHead();
  const entries = (await readModels.listEntries()).map(({ name, value }) => ({ name, entry: value as Entry }));
  const builds = entries.flatMap(({ name, entry }) =>
    listFollowed({ ...entry, paused: false }).map(({ n }) => ({
      name: buildOf(name, n),
      active: entry.active === null ? null : buildOf(name, entry.active),
    })),
  );
  return Promise.all(
    builds.map(async (build) => ({ ...build, isLagging: (await readModels.readCheckpoint(build.name)) < head })),
  );
}

/** Returns the collections of projections without an active build. */
export async function findInactiveProjections({ registry, stores: { readModels } }: World): Promise<string[]> {
  const entries = new Map((await readModels.listEntries()).map(({ name, value }) => [name, value as Entry]));
  return registry.projections.map(collectionOf).filter((name) => (entries.get(name)?.active ?? null) === null);
}

/** I3: finds followed builds that differ from the active build. Call it when all builds have caught up. */
export async function findDifferingBuilds(world: World): Promise<string[]> {
  const { readModels } = world.stores;
  const others = (await findFollowedBuilds(world)).filter(({ name, active }) => name !== active);
  const breaches = others.map(async ({ name, active }) => {
    if (active === null) return [`${name} is followed, but no build is active`];
    return isDeepStrictEqual(await readAll(name, readModels), await readAll(active, readModels))
      ? []
      : [`${name} holds other documents than ${active}`];
  });
  return (await Promise.all(breaches)).flat();
}

function readAll(build: string, readModels: ReadModels): Promise<object[]> {
  return readModels.find(build, { where: {}, orderBy: 'id', ascending: true, limit: 10_000 });
}
