import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLog } from '../../../src/operations/cli/events/event-log.js';
import { compareLogs } from '../../../src/operations/migration/compare-logs.js';
import { migrate, type MigrationInput } from '../../../src/operations/migration/migration.js';
import { openEmbedded } from '../../../src/stores/embedded/embedded.js';
import { beginMigration, completeMigration, requireFinishedMigration } from '../../../src/stores/migration-marker.js';
import type { Ports } from '../../../src/stores/ports.js';
import { coinsAdded } from '../../support/jar.js';

const NOT_EMPTY = 'The store is not empty. Use an empty store.';
const IN_PART = 'The store holds a part of another import. Use an empty store.';
const DUE = '2026-01-31T00:00:00.000Z';
const CLAIM = { fingerprint: 'POST /v1/moving', leaseMs: 60_000, holder: 'a request' };
const never = new AbortController().signal;
const ignored = () => undefined;
const coin = (label: string) => coinsAdded('1', label);

let folder: string;
let opened: Ports[];
let empty: Ports;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'moving-in-'));
  opened = [];
  empty = await openFile('empty');
});
afterEach(async () => {
  await Promise.all(opened.map((ports) => ports.close()));
  rmSync(folder, { recursive: true });
});

describe('The target store of a migration', () => {
  it.each<[string, (ports: Ports) => Promise<unknown>]>([
    ['an event', ({ events }) => events.append('jar-1', 'none', [coin('a')])],
    ['a checkpoint', ({ checkpoints }) => checkpoints.advanceCheckpoints({ reactor: '5' })],
    ['a build', ({ catalogue }) => catalogue.compareAndSetEntry('products@1', 0, {})],
    ['a job', ({ jobs }) => jobs.enqueue([{ key: 'a', queue: 'q', due: DUE, data: {} }])],
    ['a claim', ({ idempotency }) => idempotency.claim({ scope: 's', key: 'k' }, CLAIM)],
    [
      'keys',
      async ({ vault }) =>
        Promise.all(['key check', 'a user’s'].map((id) => vault.putIfAbsent(id, Buffer.from('sealed')))),
    ],
  ])('refuses the migration when it holds %s', async (_, fill) => {
    await fill(empty);

    await expect(beginMigration(empty, 'a house')).rejects.toThrow(NOT_EMPTY);
    await expect(requireFinishedMigration(empty.models)).resolves.toBeUndefined();
  });

  it('accepts the migration when it holds only the key check value, and runs no service before the end', async () => {
    await empty.vault.putIfAbsent('key check', Buffer.from('sealed'));
    expect(await beginMigration(empty, 'a house')).toBe(true);
    await expect(requireFinishedMigration(empty.models)).rejects.toThrow('The store holds an unfinished import');
    expect(await beginMigration(empty, 'a house')).toBe(true);

    await completeMigration(empty, 'a house', null);
    await requireFinishedMigration(empty.models);
    expect(await beginMigration(empty, 'a house')).toBe(false);
    await expect(beginMigration(empty, 'another house')).rejects.toThrow(NOT_EMPTY);
  });

  it('refuses a completed migration whose log is missing', async () => {
    const from = await createSource('from');
    await migrate(toMigrationInput('a house', from), empty, ignored, never);
    const { events } = await openFile('fresh');

    await expect(beginMigration({ ...empty, events }, 'a house')).rejects.toThrow('but its log is missing');
    expect(await beginMigration(empty, 'a house')).toBe(false);
  });

  it('accepts one of two migrations that begin at the same time, and refuses the other', async () => {
    const started = await Promise.allSettled(['one', 'other'].map((what) => beginMigration(empty, what)));

    expect(started).toContainEqual({ status: 'fulfilled', value: true });
    expect(started).toContainEqual({ status: 'rejected', reason: expect.objectContaining({ message: IN_PART }) });
  });

  it('imports one of two stores that arrive at the same time', async () => {
    const [one, other] = [await createSource('one'), await createSource('other')];
    const moves = [
      migrate(toMigrationInput('one', one), empty, ignored, never),
      migrate(toMigrationInput('other', other), empty, ignored, never),
    ];
    const outcomes = await Promise.allSettled(moves);

    const taken = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect(outcomes[taken]).toEqual({ status: 'fulfilled', value: true });
    expect([IN_PART, NOT_EMPTY]).toContain((outcomes[1 - taken] as PromiseRejectedResult).reason.message);
    expect((await compareLogs(readLog([one, other][taken]!.events), empty.events)).difference).toBeNull();
  });

  it('imports a store once when it arrives twice at the same time', async () => {
    const from = await createSource('from');
    const moves = [1, 2].map(() => migrate(toMigrationInput('a house', from), empty, ignored, never));

    expect((await Promise.all(moves)).sort()).toEqual([false, true]);
    expect((await compareLogs(readLog(from.events), empty.events)).difference).toBeNull();
  });

  it.each([
    [
      'another stream',
      'jar-2',
      'the target store contains another log: it has 4 events, expected 3. Use an empty target store.',
    ],
    [
      'a migrated stream',
      'jar-1',
      'the target store contains another log: jar-1: expected revision none, found 0. Use an empty target store.',
    ],
  ])('is not marked complete when another process writes to %s during the migration', async (_, stream, words) => {
    const input = toMigrationInput('a house', await createSource('from'));
    const items = runAfter(input.items, () => empty.events.append(stream, 'none', [coin('foreign')]));

    await expect(migrate({ ...input, items }, empty, ignored, never)).rejects.toThrow(words);
    await expect(requireFinishedMigration(empty.models)).rejects.toThrow('The store holds an unfinished import');
  });
});

async function openFile(name: string): Promise<Ports> {
  const ports = await openEmbedded({ file: join(folder, `${name}.sqlite`) });
  opened.push(ports);
  return ports;
}

async function createSource(name: string): Promise<Ports> {
  const ports = await openFile(name);
  await ports.events.append(
    'jar-1',
    'none',
    ['a', 'b', 'c'].map((label) => coin(`${name} ${label}`)),
  );
  return ports;
}

function toMigrationInput(name: string, { events }: Ports): MigrationInput {
  return { name, items: readLog(events) };
}

/** Runs after the last item was read, and before its chunk is written. */
async function* runAfter<T>(items: AsyncIterable<T>, work: () => Promise<unknown>): AsyncIterable<T> {
  yield* items;
  await work();
}
