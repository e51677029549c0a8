import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RestoredStores } from '../../src/engine/consumers/checkpoints-ahead.js';
import {
  findCheckpointsAhead,
  readPositions,
  requireCheckpointsInLog,
} from '../../src/engine/consumers/checkpoints-ahead.js';
import { rewind } from '../../src/engine/rewind.js';
import type { BuildCatalogue } from '../../src/kernel/build-catalogue.js';
import type { EventStore } from '../../src/kernel/event-store.js';
import { openEmbedded } from '../../src/stores/embedded/embedded.js';
import { openEventStoreDb } from '../../src/stores/eventstoredb/eventstoredb.js';
import { ManualClock } from '../support/clock.js';
import { Cluster } from '../support/eventstoredb/cluster/cluster.js';
import { EventStoreDbServer } from '../support/eventstoredb/server.js';
import { coinsAdded } from '../support/jar.js';
import { MemoryEventStore } from '../support/memory/event-store.js';
import { MemoryReadModels, toPorts } from '../support/memory/read-models.js';

const COUNTING = 'reactor:counting';
const FOLLOWERS = { projections: [], reactors: [COUNTING] };

type Closing = (() => unknown)[];

const clock = new ManualClock();
const ports = () => toPorts(new MemoryReadModels(clock));

type Restored = RestoredStores & { readonly catalogue: BuildCatalogue };

/** Opens a connection as each start does. */
type Opening = () => Restored;

const KINDS: Record<string, (closing: Closing) => Promise<Opening>> = {
  'in memory': async () => {
    const restored = { events: new MemoryEventStore(clock), ...ports() };
    return () => restored;
  },
  'in the embedded store': async (closing) => {
    const folder = await mkdtemp(join(tmpdir(), 'restored-'));
    const stores = await openEmbedded({ file: join(folder, 'store.sqlite') });
    closing.push(
      () => stores.close(),
      () => rm(folder, { recursive: true }),
    );
    return () => stores;
  },
  'on one node': async (closing) => {
    const server = await EventStoreDbServer.start();
    closing.push(() => server.stop());
    return connecting(server.connection, closing);
  },
  'on a cluster': async (closing) => {
    const cluster = await Cluster.start();
    closing.push(() => cluster.close());
    return connecting(cluster.connection, closing);
  },
};

function connecting(connection: string, closing: Closing): Opening {
  const kept = ports();
  return () => {
    const stores = openEventStoreDb({ connection });
    closing.unshift(() => stores.close());
    return { events: stores.events, ...kept };
  };
}

describe.each(Object.keys(KINDS))('A log %s that is shorter than its checkpoints', (kind) => {
  const closing: Closing = [];
  let opening: Opening;
  beforeEach(async () => {
    opening = await KINDS[kind]!(closing);
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  /** The log holds two of five events, and a reactor has handled all five. */
  async function shorter(): Promise<Restored> {
    const restored = opening();
    await write(restored.events, 2);
    await restored.checkpoints.advanceCheckpoints({ [COUNTING]: await positionOfTheFifth(kind, restored.events) });
    return restored;
  }

  it('is refused at every start', async () => {
    await shorter();
    for (let start = 1; start <= 20; start++) {
      await expect(requireCheckpointsInLog(opening())).rejects.toMatchObject({
        name: 'CheckpointsAheadOfLog',
        names: [COUNTING],
      });
    }
  });

  it('is refused even if it has grown beyond them since', async () => {
    const restored = await shorter();
    await expect(requireCheckpointsInLog(restored)).rejects.toMatchObject({ name: 'CheckpointsAheadOfLog' });
    await write(restored.events, 20, 'later');

    expect((await restored.events.readHead()) > (await restored.checkpoints.readCheckpoint(COUNTING))).toBe(true);
    await expect(requireCheckpointsInLog(restored)).rejects.toMatchObject({
      name: 'CheckpointsAheadOfLog',
      names: [COUNTING],
    });
    expect(await aheadIn(restored)).toEqual([COUNTING]);
  });

  it('is accepted once it is rewound', async () => {
    const restored = await shorter();
    await expect(requireCheckpointsInLog(restored)).rejects.toMatchObject({ name: 'CheckpointsAheadOfLog' });
    await rewind({ ...restored, clock }, FOLLOWERS);

    await requireCheckpointsInLog(restored);
    expect(await aheadIn(restored)).toEqual([]);
  });
});

describe('A log at a wrong address', () => {
  it('is refused, and the right log is accepted afterwards', async () => {
    const [right, kept] = [new MemoryEventStore(clock), ports()];
    await write(right, 3);
    await kept.checkpoints.advanceCheckpoints({ [COUNTING]: await right.readHead() });
    for (const events of [0, 1]) {
      const wrong = new MemoryEventStore(clock);
      if (events > 0) await write(wrong, events, 'other');
      await expect(requireCheckpointsInLog({ events: wrong, ...kept })).rejects.toMatchObject({
        name: 'CheckpointsAheadOfLog',
      });
    }

    await requireCheckpointsInLog({ events: right, ...kept });
  });
});

async function aheadIn(restored: Restored): Promise<string[]> {
  return findCheckpointsAhead(
    await readPositions([COUNTING], restored.checkpoints),
    await restored.events.readHead(),
    restored,
  );
}

/** Appends each event to its own stream. */
async function write(events: EventStore, count: number, label = 'first'): Promise<void> {
  for (let i = 0; i < count; i++)
    await events.append(`jar-${label}-${i}`, 'none', [coinsAdded(`${label}-${i}`, label)]);
}

/** Position of the fifth event before the restore. */
async function positionOfTheFifth(kind: string, restored: EventStore): Promise<string> {
  const closing: Closing = [];
  try {
    const { events } = (await KINDS[kind]!(closing))();
    await write(events, 5);
    const position = await events.readHead();
    expect(position > (await restored.readHead())).toBe(true);
    return position;
  } finally {
    for (const close of closing) await close();
  }
}
