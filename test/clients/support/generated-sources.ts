import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sources } from '../../../clients/generator/sources.ts';

/** Returns the committed files that are not those of the document, each with the first line that differs. */
export async function findOutdatedSources(folder: string, current: Sources): Promise<string[]> {
  const committed = await readSources(folder);
  const names = [...new Set([...Object.keys(committed), ...Object.keys(current)])].sort();
  return names.flatMap((name) => {
    if (committed[name] === undefined) return [`${name} is missing`];
    if (current[name] === undefined) return [`${name} is no longer generated`];
    const difference = findDifference(committed[name], current[name]);
    return difference === null ? [] : [`${name}: ${difference}`];
  });
}

/** Python writes a folder of compiled modules beside the sources. */
async function readSources(folder: string): Promise<Sources> {
  const names = (await readdir(folder)).filter((name) => name !== '__pycache__');
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}

/** Returns the first line that differs, because a whole file is too long for an error message. */
function findDifference(committed: string, current: string): string | null {
  const lines = current.split('\n');
  const found = committed.split('\n').findIndex((line, index) => line !== lines[index]);
  if (found >= 0) return `line ${found + 1} is now: ${lines[found] ?? 'missing'}`;
  return committed === current ? null : 'lines were added at the end';
}
