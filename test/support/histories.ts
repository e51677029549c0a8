import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { findDeclaredEvents } from './declared-events.js';
import { extractMinimalLog, versionedTypeOf } from './minimal-log.js';

const FIXTURES = join(import.meta.dirname, '../fixtures');
/** `FREEZE=1`: this run writes the fixtures that are missing. */
export const FREEZING = process.env.FREEZE === '1';

/**
 * A part of a log that a service once recorded. In its fixture file each line is one stored event; the file never
 * changes.
 */
export interface History {
  readonly name: string;
  readonly events: readonly RecordedEvent[];
}

export async function readHistories(): Promise<History[]> {
  const names = (await readdir(join(FIXTURES, 'events'))).map((file) => basename(file, '.jsonl')).sort();
  return Promise.all(
    names.map(async (name) => ({ name, events: (await readLines(toFilePath('events', name))) as RecordedEvent[] })),
  );
}

/** Writes a fixture from the log of a spec's service, with the versioned event types that no fixture contains yet. */
export async function freezeNewEvents(log: readonly RecordedEvent[]): Promise<void> {
  const [histories, { types }] = await Promise.all([readHistories(), findDeclaredEvents()]);
  const own = log.filter(({ type }) => types.includes(type));
  const frozen = collectVersionedTypes(histories);
  const newTypes = new Set(own.map(versionedTypeOf).filter((shape) => !frozen.has(shape)));
  if (newTypes.size === 0) return;

  const spec = basename(expect.getState().testPath!, '.spec.ts');
  const nth = histories.filter(({ name }) => name.startsWith(`${spec}-`)).length + 1;
  await freeze(toFilePath('events', `${spec}-${nth}`), extractMinimalLog(own, newTypes));
}

/** Reads the frozen fold of a history; with `FREEZE=1` it writes the file first if it is missing. */
export async function readOrFreezeFolds(name: string, folded: readonly object[]): Promise<readonly unknown[]> {
  const file = toFilePath('folded', name);
  if (FREEZING) await freeze(file, folded);
  return readLines(file);
}

export function collectVersionedTypes(histories: readonly History[]): ReadonlySet<string> {
  return new Set(histories.flatMap(({ events }) => events.map(versionedTypeOf)));
}

function toFilePath(folder: 'events' | 'folded', name: string): string {
  return join(FIXTURES, folder, `${name}.jsonl`);
}

async function readLines(file: string): Promise<unknown[]> {
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
