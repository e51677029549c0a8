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

const NOT_EMPTY = 'This store is not empty. Move into an empty one.';
const IN_PART = 'Something else has moved into this store in part. Move into an empty one.';
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

describe('A store that something is to move into', () => {
  it.each<[string, (ports: Ports) => Promise<unknown>]>([
    ['an event', ({ events }) => events.append('jar-1', 'none', [coin('a')])],
    ['a checkpoint', ({ models }) => models.advance({ reactor: '5' })],
    ['a build', ({ models }) => models.enter('products@1', 0, {})],
    ['a job', ({ jobs }) => jobs.put([{ key: 'a', queue: 'q', due: DUE, data: {} }])],
    ['a claim', ({ idempotency }) => idempotency.begin({ scope: 's', key: 'k' }, CLAIM)],
    ['keys', async ({ vault }) => Promise.all(['key check', 'a user’s'].map((id) => vault.put(id, Buffer.from('sealed'))))],
  ])('refuses it when it holds %s', async (_, fill) => {
    await fill(empty);

    await expect(beginMovingIn(empty, 'a house')).rejects.toThrow(NOT_EMPTY);
    await expect(mustHaveMovedIn(empty.models)).resolves.toBeUndefined();
  });

  it('takes it when it holds nothing but the mark of its keys, and runs nothing before all is there', async () => {
    await empty.vault.put('key check', Buffer.from('sealed'));
    expect(await beginMovingIn(empty, 'a house')).toBe(true);
    await expect(mustHaveMovedIn(empty.models)).rejects.toThrow('Only a part has moved into this store so far');
    expect(await beginMovingIn(empty, 'a house')).toBe(true);

    await endMovingIn(empty, 'a house', null);
    await mustHaveMovedIn(empty.models);
    expect(await beginMovingIn(empty, 'a house')).toBe(false);
    await expect(beginMovingIn(empty, 'another house')).rejects.toThrow(NOT_EMPTY);
  });

  it('says that what had moved in is gone when its log is another one', async () => {
    const from = await house('from');
    await moveIn(goodsOf('a house', from), empty, ignored, never);
    const { events } = await file('fresh');

    await expect(beginMovingIn({ ...empty, events }, 'a house')).rejects.toThrow('the log that it came to is gone');
    expect(await beginMovingIn(empty, 'a house')).toBe(false);
  });

  it('notes one of two that begin at once, and tells the other', async () => {
    const begun = await Promise.allSettled(['one', 'other'].map((what) => beginMovingIn(empty, what)));

    expect(begun).toContainEqual({ status: 'fulfilled', value: true });
    expect(begun).toContainEqual({ status: 'rejected', reason: expect.objectContaining({ message: IN_PART }) });
  });

  it('takes one of two houses that come at once', async () => {
    const [one, other] = [await house('one'), await house('other')];
    const moves = [moveIn(goodsOf('one', one), empty, ignored, never), moveIn(goodsOf('other', other), empty, ignored, never)];
    const outcomes = await Promise.allSettled(moves);

    const taken = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect(outcomes[taken]).toEqual({ status: 'fulfilled', value: true });
    expect([IN_PART, NOT_EMPTY]).toContain((outcomes[1 - taken] as PromiseRejectedResult).reason.message);
    expect((await compareLogs([one, other][taken]!.events, empty.events, ignored)).difference).toBeNull();
  });

  it('takes one house once that comes twice at once', async () => {
    const from = await house('from');
    const moves = [1, 2].map(() => moveIn(goodsOf('a house', from), empty, ignored, never));

    expect((await Promise.all(moves)).sort()).toEqual([false, true]);
    expect((await compareLogs(from.events, empty.events, ignored)).difference).toBeNull();
  });

  it.each([
    ['a stream of its own', 'jar-2', 'the target store contains another log: it has 4 events, expected 3. Use an empty target store.'],
    [
      'a stream that moves',
      'jar-1',
      'the target store contains another log: jar-1: expected revision none, found 0. Use an empty target store.',
    ],
  ])('is not said to be filled when somebody writes to %s meanwhile', async (_, stream, words) => {
    const goods = goodsOf('a house', await house('from'));
    const events = afterwards(goods.events, () => empty.events.append(stream, 'none', [coin('foreign')]));

    await expect(moveIn({ ...goods, events }, empty, ignored, never)).rejects.toThrow(words);
    await expect(mustHaveMovedIn(empty.models)).rejects.toThrow('Only a part');
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

/** Done once all has been taken, and before its last part is written. */
async function* afterwards<T>(items: AsyncIterable<T>, work: () => Promise<unknown>): AsyncIterable<T> {
  yield* items;
  await work();
}
