import type { ReadModels } from '../../kernel/read-models.js';
import { type Entry, NO_BUILDS } from './catalogue.js';

const TRIES = 20;

/** Reads the whole catalogue; a name that is not in it has no builds. */
export async function readEntries(readModels: ReadModels): Promise<ReadonlyMap<string, Entry>> {
  return new Map((await readModels.listEntries()).map(({ name, value }) => [name, value as Entry]));
}

/**
 * Applies `transition` to the current entry, and again after a concurrent change. Writes nothing when the entry stays
 * the same.
 * @throws any error of `transition`
 */
export async function changeEntry(
  readModels: ReadModels,
  name: string,
  transition: (entry: Entry) => Entry,
): Promise<Entry> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const stored = (await readModels.listEntries()).find((one) => one.name === name);
    const before = (stored?.value as Entry | undefined) ?? NO_BUILDS;
    const after = transition(before);
    if (after === before || (await readModels.compareAndSetEntry(name, stored?.revision ?? 0, after))) return after;
  }
  throw new Error(`the entry of ${name} changes too often`);
}
