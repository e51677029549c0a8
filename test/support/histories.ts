import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Recorded } from '../../src/kernel/event.js';
import { declaredEvents } from './declared-events.js';
import { gleaned, shapeOf } from './gleaning.js';

const FIXTURES = join(import.meta.dirname, '../fixtures');
/** `FREEZE=1`: this run writes the fixtures that are missing. */
export const FREEZING = process.env.FREEZE === '1';

/**
 * A part of a log that a service once recorded. In its fixture file each line is one stored event; the file never
 * changes.
 */
export interface History {
  readonly name: string;
  readonly events: readonly Recorded[];
}

export async function frozenHistories(): Promise<History[]> {
  const names = (await readdir(join(FIXTURES, 'events'))).map((file) => basename(file, '.jsonl')).sort();
  return Promise.all(names.map(async (name) => ({ name, events: (await linesOf(fileOf('events', name))) as Recorded[] })));
}

/** Writes a fixture from the log of a spec's service, with the versioned event types that no fixture contains yet. */
export async function freezeNews(log: readonly Recorded[]): Promise<void> {
  const [histories, { types }] = await Promise.all([frozenHistories(), declaredEvents()]);
  const ours = log.filter(({ type }) => types.includes(type));
  const frozen = shapesIn(histories);
  const news = new Set(ours.map(shapeOf).filter((shape) => !frozen.has(shape)));
  if (news.size === 0) return;

  const spec = basename(expect.getState().testPath!, '.spec.ts');
  const nth = histories.filter(({ name }) => name.startsWith(`${spec}-`)).length + 1;
  await freeze(fileOf('events', `${spec}-${nth}`), gleaned(ours, news));
}

/** Reads the frozen fold of a history; with `FREEZE=1` it writes the file first if it is missing. */
export async function frozenFolds(name: string, folded: readonly object[]): Promise<readonly unknown[]> {
  const file = fileOf('folded', name);
  if (FREEZING) await freeze(file, folded);
  return linesOf(file);
}

export function shapesIn(histories: readonly History[]): ReadonlySet<string> {
  return new Set(histories.flatMap(({ events }) => events.map(shapeOf)));
}

function fileOf(folder: 'events' | 'folded', name: string): string {
  return join(FIXTURES, folder, `${name}.jsonl`);
}

async function linesOf(file: string): Promise<unknown[]> {
  return (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

/** Writes a file unless it exists. */
async function freeze(file: string, entries: readonly object[]): Promise<void> {
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  await writeFile(file, lines, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
