import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eachOf } from '../../src/operations/event-log.js';
import { compareLogs } from '../../src/operations/moving/comparing.js';
import { moveIn, type Goods } from '../../src/operations/moving/moving.js';
import { openEmbedded } from '../../src/stores/embedded/embedded.js';
import { beginMovingIn, endMovingIn, mustHaveMovedIn } from '../../src/stores/moving-in.js';
import type { Ports } from '../../src/stores/ports.js';
import { coinsAdded } from '../support/jar.js';

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
  empty = await file('empty');
});
afterEach(async () => {
  await Promise.all(opened.map((ports) => ports.close()));
  rmSync(folder, { recursive: true });
});

describe('The target store of a migration', () => {
  it.each<[string, (ports: Ports) => Promise<unknown>]>([
    ['an event', ({ events }) => events.append('jar-1', 'none', [coin('a')])],
    ['a checkpoint', ({ models }) => models.advance({ reactor: '5' })],
    ['a build', ({ models }) => models.enter('products@1', 0, {})],
    ['a job', ({ jobs }) => jobs.put([{ key: 'a', queue: 'q', due: DUE, data: {} }])],
    ['a claim', ({ idempotency }) => idempotency.begin({ scope: 's', key: 'k' }, CLAIM)],
    ['keys', async ({ vault }) => Promise.all(['key check', 'a user’s'].map((id) => vault.put(id, Buffer.from('sealed'))))],
  ])('refuses the migration when it holds %s', async (_, fill) => {
    await fill(empty);

    await expect(beginMovingIn(empty, 'a house')).rejects.toThrow(NOT_EMPTY);
    await expect(mustHaveMovedIn(empty.models)).resolves.toBeUndefined();
  });

  it('accepts the migration when it holds only the key check value, and runs no service before the end', async () => {
    await empty.vault.put('key check', Buffer.from('sealed'));
    expect(await beginMovingIn(empty, 'a house')).toBe(true);
    await expect(mustHaveMovedIn(empty.models)).rejects.toThrow('The store holds an unfinished import');
    expect(await beginMovingIn(empty, 'a house')).toBe(true);

    await endMovingIn(empty, 'a house', null);
    await mustHaveMovedIn(empty.models);
    expect(await beginMovingIn(empty, 'a house')).toBe(false);
    await expect(beginMovingIn(empty, 'another house')).rejects.toThrow(NOT_EMPTY);
  });

  it('refuses a completed migration whose log is missing', async () => {
    const from = await house('from');
    await moveIn(goodsOf('a house', from), empty, ignored, never);
    const { events } = await file('fresh');

    await expect(beginMovingIn({ ...empty, events }, 'a house')).rejects.toThrow('but its log is missing');
    expect(await beginMovingIn(empty, 'a house')).toBe(false);
  });

  it('accepts one of two migrations that begin at the same time, and refuses the other', async () => {
    const begun = await Promise.allSettled(['one', 'other'].map((what) => beginMovingIn(empty, what)));

    expect(begun).toContainEqual({ status: 'fulfilled', value: true });
    expect(begun).toContainEqual({ status: 'rejected', reason: expect.objectContaining({ message: IN_PART }) });
  });

  it('imports one of two stores that arrive at the same time', async () => {
    const [one, other] = [await house('one'), await house('other')];
    const moves = [moveIn(goodsOf('one', one), empty, ignored, never), moveIn(goodsOf('other', other), empty, ignored, never)];
    const outcomes = await Promise.allSettled(moves);

    const taken = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect(outcomes[taken]).toEqual({ status: 'fulfilled', value: true });
    expect([IN_PART, NOT_EMPTY]).toContain((outcomes[1 - taken] as PromiseRejectedResult).reason.message);
    expect((await compareLogs([one, other][taken]!.events, empty.events, ignored)).difference).toBeNull();
  });

  it('imports a store once when it arrives twice at the same time', async () => {
    const from = await house('from');
    const moves = [1, 2].map(() => moveIn(goodsOf('a house', from), empty, ignored, never));

    expect((await Promise.all(moves)).sort()).toEqual([false, true]);
    expect((await compareLogs(from.events, empty.events, ignored)).difference).toBeNull();
  });

  it.each([
    ['another stream', 'jar-2', 'the target store contains another log: it has 4 events, expected 3. Use an empty target store.'],
    [
      'a migrated stream',
      'jar-1',
      'the target store contains another log: jar-1: expected revision none, found 0. Use an empty target store.',
    ],
  ])('is not marked complete when another process writes to %s during the migration', async (_, stream, words) => {
    const goods = goodsOf('a house', await house('from'));
    const events = afterwards(goods.events, () => empty.events.append(stream, 'none', [coin('foreign')]));

    await expect(moveIn({ ...goods, events }, empty, ignored, never)).rejects.toThrow(words);
    await expect(mustHaveMovedIn(empty.models)).rejects.toThrow('The store holds an unfinished import');
  });
});

async function file(name: string): Promise<Ports> {
  const ports = await openEmbedded({ file: join(folder, `${name}.sqlite`) });
  opened.push(ports);
  return ports;
}

async function house(name: string): Promise<Ports> {
  const ports = await file(name);
  await ports.events.append(
    'jar-1',
    'none',
    ['a', 'b', 'c'].map((label) => coin(`${name} ${label}`)),
  );
  return ports;
}

function goodsOf(name: string, { events }: Ports): Goods {
  return { name, events: eachOf(events), belongings: (async function* () {})() };
}

/** Runs after the last item was read, and before its chunk is written. */
async function* afterwards<T>(items: AsyncIterable<T>, work: () => Promise<unknown>): AsyncIterable<T> {
  yield* items;
  await work();
}
