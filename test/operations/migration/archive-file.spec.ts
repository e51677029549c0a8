import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkArchive, readArchive, writeArchive } from '../../../src/operations/migration/archive.js';
import { observe } from '../../../src/operations/migration/migration.js';
import type { MigrationItem, MigrationRecord, PortableEvent } from '../../../src/operations/migration/records.js';
import { coinsAdded } from '../../support/jar.js';

const NOW = '2026-02-01T09:00:00.000Z';
/** Longer than one read, with Unicode line separators and multi-byte characters. */
const EVENTS = [`\u2028\r${'é😀'.repeat(400_000)}`, 'b', 'c'].map(createEvent);
const RECORDS: readonly MigrationRecord[] = [
  { record: 'key', id: 'key check', sealed: 'AAEC' },
  { record: 'key', id: 'destroyed', sealed: null },
  {
    record: 'job',
    key: 'sweep',
    queue: 'chores',
    due: NOW,
    data: {},
    attempt: 2,
    failures: 1,
    error: 'x',
    parked: true,
  },
  { record: 'checkpoint', name: 'reactor:sweep', event: null },
];

let folder: string;
let path: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'moving-file-'));
  path = join(folder, 'house.ndjson');
  await writeArchive(path, toStream([...EVENTS, ...RECORDS]));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('The archive of an exported store', () => {
  it('returns all that was written to it, and can be read only by its owner', async () => {
    const { content, keyCheckValue } = await checkArchive(path);

    expect(await collect(readArchive(path))).toEqual([...EVENTS, ...RECORDS]);
    expect(content).toMatchObject({ events: 3, counts: { key: 2, claim: 0, job: 1, note: 0, checkpoint: 1 } });
    expect([...keyCheckValue!]).toEqual([0, 1, 2]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['is truncated within a line', (text: string) => text.slice(0, -9)],
    ['lacks its last line', (text: string) => `${text.split('\n').slice(0, -2).join('\n')}\n`],
    ['lacks an event', (text: string) => text.split('\n').toSpliced(2, 1).join('\n')],
    ['has two swapped lines', (text: string) => text.replace(/(\{"id".*"c".*\n)(\{"record".*\n)/, '$2$1')],
    ['was changed', (text: string) => text.replace('sweep', 'sleep')],
    ['continues after its end', (text: string) => `${text}{"record":"end"}\n`],
  ])('is refused when it %s', async (_, damage) => {
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, damage(whole));

    expect(readFileSync(path, 'utf8')).not.toBe(whole);
    await expect(checkArchive(path)).rejects.toThrow(`${path} is cut or was changed: nothing was imported`);
  });

  it.each(['{"format":"event-sourced-api store","version":2}\n', '{"id":"1"}\n', '1\n'])(
    'is refused when it begins with %j',
    async (text) => {
      writeFileSync(path, text);

      await expect(checkArchive(path)).rejects.toThrow('is not an export that this version can read');
    },
  );

  it('is missing until it is complete, and after an abort', async () => {
    const found: string[][] = [];
    const items = async function* () {
      yield EVENTS[1]!;
      found.push(readdirSync(folder));
      throw new Error('aborted');
    };

    await expect(writeArchive(join(folder, 'other'), items())).rejects.toThrow('aborted');
    expect(found).toEqual([expect.not.arrayContaining(['other'])]);
    expect(readdirSync(folder)).toEqual(['house.ndjson']);
  });
});

describe('A migration that Ctrl-C stops', () => {
  it('ends between two events with a message', async () => {
    const over = new AbortController();
    const seen: MigrationItem[] = [];
    const walk = async () => {
      for await (const item of observe(readArchive(path), over.signal, () => over.abort())) seen.push(item);
    };

    await expect(walk()).rejects.toThrow('stopped; run the same command again to continue');
    expect(seen).toHaveLength(1);
  });
});

function createEvent(coin: string, revision: number): PortableEvent {
  return { ...coinsAdded('1', coin), data: { coin }, stream: 'jar-1', revision };
}

async function* toStream<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
