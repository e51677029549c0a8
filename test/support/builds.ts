import { createActive, type Entry, NO_BUILDS } from '../../src/engine/builds/catalogue.js';
import type { BuildCatalogue } from '../../src/kernel/build-catalogue.js';
import { buildOf, collectionOf } from '../../src/kernel/projection.js';

type Named = { readonly name: string; readonly version: number };

/** Returns the collection of the active build, which queries read. */
export async function findActiveBuild(projection: Named, catalogue: BuildCatalogue): Promise<string> {
  const name = collectionOf(projection);
  const entry = (await catalogue.listEntries()).find((one) => one.name === name)?.value as Entry | undefined;
  if (!entry || entry.active === null) throw new Error(`${name} has no active build`);
  return buildOf(name, entry.active);
}

/** Activates the projection's first build without a rebuild. */
export async function activateFirstBuild(projection: Named, catalogue: BuildCatalogue): Promise<string> {
  await catalogue.compareAndSetEntry(collectionOf(projection), 0, createActive(NO_BUILDS, '2026-02-01T09:00:00.000Z'));
  return buildOf(collectionOf(projection), 1);
}
