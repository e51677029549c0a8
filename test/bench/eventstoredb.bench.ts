// Compares the EventStoreDB adapter with the bare client on one server: appends and a subscription, in short
// interleaved
// slices. The server is the tests' own, in memory and in another process: only the ratios are meaningful, not the
// rates.
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { join } from 'node:path';
import type { NewEvent } from '../../src/kernel/event.js';
import { importBuilt } from './built.ts';
import { newEvent, newStream } from './log.ts';
import { machine } from './machine.ts';
import { median, rounded } from './numbers.ts';
import { MeasuredServer } from './server.ts';
import { byTurns, ratioOf } from './turns.ts';

const { openEventStoreDb } = await importBuilt<typeof import('../../src/stores/eventstoredb/eventstoredb.js')>(
  'stores/eventstoredb/eventstoredb.js',
);

const ROUNDS = 9;
const SLICE_MS = 400;
const AT_ONCE = 64;
const FOLLOWED = 20_000;
const BATCH = 100;
/** Credentials make the client send each append as a unary call, as the adapter does. */
const UNARY = { credentials: { username: '', password: '' } };

const server = await MeasuredServer.start(join(import.meta.dirname, 'eventstoredb-server.ts'), {});
const bare = EventStoreDBClient.connectionString(server.url);
const store = openEventStoreDb({ connection: server.url });
try {
  const appends = [await appended(1, 1), await appended(AT_ONCE, 1), await appended(AT_ONCE, BATCH)];
  const figures = [...appends, await followedWhole()];
  console.log(JSON.stringify({ bench: 'eventstoredb', machine: machine(), rounds: ROUNDS, slice_ms: SLICE_MS, figures }, null, 2));
} finally {
  await bare.dispose();
  await store.close();
  await server.stop();
}

async function appended(lanes: number, size: number) {
  const slices = await byTurns(ROUNDS, {
    bare: () =>
      sliceOf(lanes, size, (events) => bare.appendToStream(newStream(), events.map(bareEvent), { ...UNARY, expectedRevision: NO_STREAM })),
    adapter: () => sliceOf(lanes, size, (events) => store.events.append(newStream(), 'none', events)),
  });
  return figureOf(`append, ${size} an append, ${lanes} at once`, slices);
}

function bareEvent({ id, type, data, meta }: NewEvent) {
  return jsonEvent({ id, type, data: data as Record<string, unknown>, metadata: { ...meta } });
}

interface Slice {
  readonly eventsPerSecond: number;
  /** The CPU time of this process, without the server's. */
  readonly cpuMicrosPerEvent: number;
}

/** Runs concurrent loops; each appends again as soon as its append has finished. */
async function sliceOf(lanes: number, size: number, append: (events: NewEvent[]) => Promise<unknown>): Promise<Slice> {
  const began = performance.now();
  const cpu = process.cpuUsage();
  let events = 0;
  const lane = async () => {
    while (performance.now() - began < SLICE_MS) {
      await append(Array.from({ length: size }, newEvent));
      events += size;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return measured(events, began, cpu);
}

async function followedWhole() {
  for (let i = 0; i < FOLLOWED; i += BATCH) await store.events.append(newStream(), 'none', Array.from({ length: BATCH }, newEvent));
  return figureOf(
    `follow, the first ${FOLLOWED}`,
    await byTurns(ROUNDS, { bare: () => timed(bareFollow), adapter: () => timed(adapterFollow) }),
  );
}

async function timed(follow: () => Promise<void>): Promise<Slice> {
  const began = performance.now();
  const cpu = process.cpuUsage();
  await follow();
  return measured(FOLLOWED, began, cpu);
}

function measured(events: number, began: number, before: NodeJS.CpuUsage): Slice {
  const { user, system } = process.cpuUsage(before);
  return { eventsPerSecond: (events / (performance.now() - began)) * 1_000, cpuMicrosPerEvent: (user + system) / events };
}

async function bareFollow(): Promise<void> {
  const subscription = bare.subscribeToAll();
  subscription.on('error', () => undefined);
  let seen = 0;
  await new Promise<void>((resolve) => subscription.on('data', () => ++seen === FOLLOWED && resolve()));
  await subscription.unsubscribe();
}

async function adapterFollow(): Promise<void> {
  let seen = 0;
  for await (const page of store.events.follow({ after: '' }, AbortSignal.timeout(60_000))) {
    seen += page.events.length;
    if (seen >= FOLLOWED) return;
  }
}

function figureOf(name: string, { bare, adapter }: { readonly bare: readonly Slice[]; readonly adapter: readonly Slice[] }) {
  const rate = ({ eventsPerSecond }: Slice) => eventsPerSecond;
  const cpu = ({ cpuMicrosPerEvent }: Slice) => cpuMicrosPerEvent;
  return {
    name,
    ratios: { events_per_second: rounded(ratioOf(adapter, bare, rate)), cpu: rounded(ratioOf(adapter, bare, cpu)) },
    events_per_second: { bare: rounded(median(bare.map(rate))), adapter: rounded(median(adapter.map(rate))) },
    cpu_us_per_event: { bare: rounded(median(bare.map(cpu))), adapter: rounded(median(adapter.map(cpu))) },
  };
}
