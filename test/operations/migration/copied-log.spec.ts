import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessRegistry } from '../../../src/engine/process-registry.js';
import { SystemClock } from '../../../src/kernel/clock.js';
import type { NewEvent } from '../../../src/kernel/event.js';
import type { EventStore } from '../../../src/kernel/event-store.js';
import { ProcessId } from '../../../src/kernel/process-id.js';
import { readLog } from '../../../src/operations/cli/events/event-log.js';
import { compareLogs } from '../../../src/operations/migration/compare-logs.js';
import { requireUnchanged } from '../../../src/operations/migration/exclusive-access.js';
import { writeItems } from '../../../src/operations/migration/import-writer.js';
import { observe } from '../../../src/operations/migration/migration.js';
import type { MigrationItem } from '../../../src/operations/migration/records.js';
import { type EmbeddedStores, openEmbedded } from '../../../src/stores/embedded/embedded.js';
import type { Ports } from '../../../src/stores/ports.js';
import { SeededRandom } from '../../support/clock.js';
import { setUpServerFixture } from '../../support/eventstoredb/server-fixture.js';
import { coinsAdded, createEvent } from '../../support/jar.js';

const EVENTS = 600;
const STREAMS = 7;
const LARGE = 'x'.repeat(400_000);
const never = new AbortController().signal;
const coin = (label: string) => coinsAdded('1', label);

const cluster = setUpServerFixture();
let folder: string;
let opened: EmbeddedStores[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'moving-'));
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((stores) => stores.close()));
  rmSync(folder, { recursive: true });
});

describe('A migrated log', () => {
  it('has the same events in EventStoreDB, and again in a file', async () => {
    const [from, there, back] = [await openFile('from'), cluster.current.openStore(), await openFile('back')];
    await fillLog(from);
    await appendMissing(readLog(from), there);
    await appendMissing(readLog(there), back);

    expect(await compareLogs(readLog(from), there)).toEqual({ events: EVENTS + 3, difference: null });
    expect(await compareLogs(readLog(from), back)).toEqual({ events: EVENTS + 3, difference: null });
  });

  it('continues after an interruption at any event', async () => {
    const [from, there] = [await openFile('from'), cluster.current.openStore()];
    await fillLog(from);
    for (const written of [5, 1, 40]) {
      await expect(appendMissing(readUntil(written, from), there)).rejects.toThrow('ended');
    }
    await appendMissing(readLog(from), there);

    expect(await compareLogs(readLog(from), there)).toEqual({ events: EVENTS + 3, difference: null });
  });

  it('reports each event once while it is copied', async () => {
    const [from, there] = [await openFile('from'), await openFile('there')];
    await fillLog(from);
    const passed: string[] = [];
    await expect(appendMissing(readUntil(100, from), there)).rejects.toThrow('ended');
    const report = ({ position }: { readonly position: string }) => passed.push(position);
    await appendMissing(observe(readLog(from), never, report), there);

    expect(passed).toHaveLength(EVENTS + 3);
    expect(new Set(passed).size).toBe(EVENTS + 3);
  });

  it.each([
    ['another event', [coin('other'), coin('b')], /expected jar-1 0 \(\w+\), found jar-1 0/],
    ['more events', [coin('a'), coin('b'), coin('c')], /it has jar-1 2 \(\w+\) after the expected end/],
  ])('is refused by a store with %s', async (_, held, words) => {
    const [from, there] = [await openFile('from'), await openFile('there')];
    await from.append('jar-1', 'none', [coin('a'), coin('b')]);
    await there.append('jar-1', 'none', held);

    await expect(appendMissing(readLog(from), there)).rejects.toThrow(words);
  });

  it('is refused at its end when another event was recorded during the migration', async () => {
    const from = await openFile('from');
    const { position } = await from.append('jar-1', 'none', [coin('a')]);
    const taken: string[] = [];
    const moving = async () => {
      for await (const { id } of requireUnchanged(readLog(from), opened[0]!, position)) {
        taken.push(id);
        await from.append('jar-2', 'none', [coin('b')]);
      }
    };

    await expect(moving()).rejects.toThrow('the log has changed during the copy');
    expect(taken).toHaveLength(1);
  });

  it('is refused at its end when a service started during the migration, even without recording an event', async () => {
    const from = await openFile('from');
    const { position } = await from.append('jar-1', 'none', [coin('a')]);
    const ports = opened[0]!;
    const service = new ProcessRegistry(
      ports.checkpoints,
      ports.leases,
      new SystemClock(),
      new SeededRandom(),
      new ProcessId('somebody'),
    );
    const moving = async () => {
      for await (const { stream } of requireUnchanged(readLog(from), ports, position))
        if (stream === 'jar-1') await service.register();
    };

    await expect(moving()).rejects.toThrow('it holds process:1');
    await service.unregister();
  });

  it('is reported with its first difference', async () => {
    const [one, other] = [await openFile('one'), await openFile('other')];
    await one.append('jar-1', 'none', [coin('a'), coin('b')]);
    await other.append('jar-1', 'none', [coin('a')]);

    expect((await compareLogs(readLog(one), other)).difference).toContain('jar-1 1');
    expect((await compareLogs(readLog(other), one)).difference).toContain('jar-1 1');
  });
});

async function openFile(name: string): Promise<EventStore> {
  const stores = await openEmbedded({ file: join(folder, `${name}.sqlite`) });
  opened.push(stores);
  return stores.events;
}

/** Interleaved streams with some adjacent events, and some events that together exceed the size of one append. */
async function fillLog(store: EventStore): Promise<void> {
  const random = new SeededRandom();
  const revisions = new Map<string, number>();
  const append = async (stream: string, events: readonly NewEvent[]) => {
    const last = revisions.get(stream);
    revisions.set(stream, (await store.append(stream, last ?? 'none', events)).revision);
  };
  for (let i = 0; i < EVENTS;) {
    const some = Math.min(1 + Math.floor(random.next() * 9), EVENTS - i);
    await append(
      `jar-${Math.floor(random.next() * STREAMS)}`,
      Array.from({ length: some }, () => coin(`${i++}`)),
    );
  }
  for (const name of ['a', 'b', 'c']) await append('jar-large', [createEvent(name, 'Filled', { name, LARGE })]);
}

async function appendMissing(events: AsyncIterable<MigrationItem>, store: EventStore): Promise<void> {
  await writeItems(events, { events: store } as Ports);
}

async function* readUntil(count: number, store: EventStore) {
  let seen = 0;
  for await (const event of readLog(store)) {
    if (seen++ === count) throw new Error('ended');
    yield event;
  }
}
