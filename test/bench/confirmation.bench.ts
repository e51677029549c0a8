// Measures the cost of confirming a decision that appends nothing: rejections and empty decisions per second, in
// interleaved slices. It uses the tests' own cluster in another process, with the barrier (the connection string has
// all
// nodes) and without it (only the leader), and the embedded store, which needs no confirmation.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../src/kernel/context.js';
import type { Decider } from '../../src/kernel/decider.js';
import type { EventStore } from '../../src/kernel/event-store.js';
import { importBuilt } from './built.ts';
import { machine } from './machine.ts';
import { median, rounded } from './numbers.ts';
import { MeasuredServer } from './server.ts';
import { byTurns } from './turns.ts';

const { openEventStoreDb } = await importBuilt<typeof import('../../src/stores/eventstoredb/eventstoredb.js')>(
  'stores/eventstoredb/eventstoredb.js',
);
const { openEmbedded } = await importBuilt<typeof import('../../src/stores/embedded/embedded.js')>('stores/embedded/embedded.js');
const { Streams } = await importBuilt<typeof import('../../src/engine/streams/streams.js')>('engine/streams/streams.js');
const { SystemClock, SystemRandom } = await importBuilt<typeof import('../../src/kernel/clock.js')>('kernel/clock.js');
const { Progress } = await importBuilt<typeof import('../../src/kernel/context.js')>('kernel/context.js');
const { Rejection } = await importBuilt<typeof import('../../src/kernel/rejection.js')>('kernel/rejection.js');

const ROUNDS = 5;
const SLICE_MS = 400;
const LANES = [1, 64];

interface Opened {
  readonly count: number;
}
interface CoinsAdded {
  readonly type: 'CoinsAdded';
  readonly data: object;
}

/** A decider that records coins for `add`, rejects `refuse` and records nothing for `ignore`. */
const box: Decider<Opened, 'add' | 'refuse' | 'ignore', CoinsAdded> = {
  category: 'benchBox',
  versions: { CoinsAdded: 1 },
  initial: { count: 0 },
  evolve: ({ count }) => ({ count: count + 1 }),
  decide: (command) => {
    if (command === 'refuse') throw new Rejection('not_found', 'There is no such box.');
    return command === 'add' ? [{ type: 'CoinsAdded', data: {} }] : [];
  },
};

const server = await MeasuredServer.start(join(import.meta.dirname, 'eventstoredb-cluster.ts'), {});
const [all, leader] = server.url.split('#') as [string, string];
const folder = mkdtempSync(join(tmpdir(), 'confirmation-'));
const stores = {
  barrier: openEventStoreDb({ connection: all }),
  bare: openEventStoreDb({ connection: leader }),
  embedded: await openEmbedded({ file: join(folder, 'store.sqlite') }),
};
try {
  const figures = [];
  for (const command of ['refuse', 'ignore'] as const) for (const lanes of LANES) figures.push(await decided(command, lanes));
  console.log(JSON.stringify({ bench: 'confirmation', machine: machine(), rounds: ROUNDS, slice_ms: SLICE_MS, figures }, null, 2));
} finally {
  await Promise.all(Object.values(stores).map((store) => store.close()));
  await server.stop();
  rmSync(folder, { recursive: true });
}

async function decided(command: 'refuse' | 'ignore', lanes: number) {
  const slices = await byTurns(ROUNDS, {
    barrier: () => rateOf(stores.barrier.events, command, lanes),
    bare: () => rateOf(stores.bare.events, command, lanes),
    embedded: () => rateOf(stores.embedded.events, command, lanes),
  });
  const [barrier, bare, embedded] = [slices.barrier, slices.bare, slices.embedded].map((each) => rounded(median([...each])));
  return { name: `${command}, ${lanes} at once`, ratios: { barrier: rounded(barrier! / bare!) }, per_second: { barrier, bare, embedded } };
}

/** Each loop decides on its own existing stream. */
async function rateOf(store: EventStore, command: 'refuse' | 'ignore', lanes: number): Promise<number> {
  const streams = new Streams(store, new SystemClock(), new SystemRandom());
  const ids = Array.from({ length: lanes }, () => crypto.randomUUID());
  await Promise.all(ids.map((id) => streams.execute(box, id, 'add', context())));
  const began = performance.now();
  let count = 0;
  const lane = async (id: string) => {
    for (; performance.now() - began < SLICE_MS; count++) await streams.execute(box, id, command, context()).catch(refused);
  };
  await Promise.all(ids.map(lane));
  return (count / (performance.now() - began)) * 1_000;
}

function refused(error: unknown): void {
  if (!(error instanceof Rejection)) throw error;
}

function context(): Context {
  const commandId = crypto.randomUUID();
  return {
    commandId,
    at: 0,
    correlationId: commandId,
    causationId: commandId,
    actor: { type: 'system', id: 'bench' },
    business: null,
    mode: 'live',
    requestId: null,
    progress: new Progress(),
  };
}
