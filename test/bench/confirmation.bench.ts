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
import { interleaveRounds } from './interleave.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, round } from './numbers.ts';
import { MeasuredServer } from './server.ts';

const { openEventStoreDb } = await importBuilt<typeof import('../../src/stores/eventstoredb/eventstoredb.js')>(
  'stores/eventstoredb/eventstoredb.js',
);
const { openEmbedded } =
  await importBuilt<typeof import('../../src/stores/embedded/embedded.js')>('stores/embedded/embedded.js');
const { Streams } =
  await importBuilt<typeof import('../../src/engine/streams/streams.js')>('engine/streams/streams.js');
const { SystemClock, SystemRandom } = await importBuilt<typeof import('../../src/kernel/clock.js')>('kernel/clock.js');
const { ConsistencyContext } = await importBuilt<typeof import('../../src/kernel/context.js')>('kernel/context.js');
const { Rejection } = await importBuilt<typeof import('../../src/kernel/rejection.js')>('kernel/rejection.js');

const ROUNDS = 5;
const SLICE_MS = 400;
const CONCURRENCIES = [1, 64];

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
  for (const command of ['refuse', 'ignore'] as const)
    for (const concurrency of CONCURRENCIES) figures.push(await compareDecisions(command, concurrency));
  console.log(
    JSON.stringify(
      { bench: 'confirmation', machine: describeMachine(), rounds: ROUNDS, slice_ms: SLICE_MS, figures },
      null,
      2,
    ),
  );
} finally {
  await Promise.all(Object.values(stores).map((store) => store.close()));
  await server.stop();
  rmSync(folder, { recursive: true });
}

async function compareDecisions(command: 'refuse' | 'ignore', concurrency: number) {
  const slices = await interleaveRounds(ROUNDS, {
    barrier: () => measureRate(stores.barrier.events, command, concurrency),
    bare: () => measureRate(stores.bare.events, command, concurrency),
    embedded: () => measureRate(stores.embedded.events, command, concurrency),
  });
  const [barrier, bare, embedded] = [slices.barrier, slices.bare, slices.embedded].map((each) =>
    round(computeMedian([...each])),
  );
  return {
    name: `${command}, ${concurrency} at once`,
    ratios: { barrier: round(barrier! / bare!) },
    per_second: { barrier, bare, embedded },
  };
}

/** Each loop decides on its own existing stream. */
async function measureRate(store: EventStore, command: 'refuse' | 'ignore', concurrency: number): Promise<number> {
  const streams = new Streams(store, new SystemClock(), new SystemRandom());
  const ids = Array.from({ length: concurrency }, () => crypto.randomUUID());
  await Promise.all(ids.map((id) => streams.execute(box, id, 'add', createContext())));
  const began = performance.now();
  let count = 0;
  const worker = async (id: string) => {
    for (; performance.now() - began < SLICE_MS; count++)
      await streams.execute(box, id, command, createContext()).catch(expectRejection);
  };
  await Promise.all(ids.map(worker));
  return (count / (performance.now() - began)) * 1_000;
}

function expectRejection(error: unknown): void {
  if (!(error instanceof Rejection)) throw error;
}

function createContext(): Context {
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
    consistency: new ConsistencyContext(),
  };
}
