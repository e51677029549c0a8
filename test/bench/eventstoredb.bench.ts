// Compares the EventStoreDB adapter with the bare client on one server: appends and a subscription, in short
// interleaved
// slices. The server is the tests' own, in memory and in another process: only the ratios are meaningful, not the
// rates.
import { join } from 'node:path';
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import type { NewEvent } from '../../src/kernel/event.js';
import { importBuilt } from './built.ts';
import { computeMedianRatio, interleaveRounds } from './interleave.ts';
import { createEvent, createStreamName } from './log.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, round } from './numbers.ts';
import { MeasuredServer } from './server.ts';

const { openEventStoreDb } = await importBuilt<typeof import('../../src/stores/eventstoredb/eventstoredb.js')>(
  'stores/eventstoredb/eventstoredb.js',
);

const ROUNDS = 9;
const SLICE_MS = 400;
const CONCURRENCY = 64;
const FOLLOWED = 20_000;
const BATCH = 100;
/** Credentials make the client send each append as a unary call, as the adapter does. */
const UNARY = { credentials: { username: '', password: '' } };

const server = await MeasuredServer.start(join(import.meta.dirname, 'eventstoredb-server.ts'), {});
const bare = EventStoreDBClient.connectionString(server.url);
const store = openEventStoreDb({ connection: server.url });
try {
  const appends = [
    await compareAppends(1, 1),
    await compareAppends(CONCURRENCY, 1),
    await compareAppends(CONCURRENCY, BATCH),
  ];
  const figures = [...appends, await compareFollowing()];
  console.log(
    JSON.stringify(
      { bench: 'eventstoredb', machine: describeMachine(), rounds: ROUNDS, slice_ms: SLICE_MS, figures },
      null,
      2,
    ),
  );
} finally {
  await bare.dispose();
  await store.close();
  await server.stop();
}

async function compareAppends(concurrency: number, size: number) {
  const slices = await interleaveRounds(ROUNDS, {
    bare: () =>
      measureSlice(concurrency, size, (events) =>
        bare.appendToStream(createStreamName(), events.map(toClientEvent), { ...UNARY, expectedRevision: NO_STREAM }),
      ),
    adapter: () => measureSlice(concurrency, size, (events) => store.events.append(createStreamName(), 'none', events)),
  });
  return toFigure(`append, ${size} an append, ${concurrency} at once`, slices);
}

function toClientEvent({ id, type, data, meta }: NewEvent) {
  return jsonEvent({ id, type, data: data as Record<string, unknown>, metadata: { ...meta } });
}

interface Slice {
  readonly eventsPerSecond: number;
  /** The CPU time of this process, without the server's. */
  readonly cpuMicrosPerEvent: number;
}

/** Runs concurrent loops; each appends again as soon as its append has finished. */
async function measureSlice(
  concurrency: number,
  size: number,
  append: (events: NewEvent[]) => Promise<unknown>,
): Promise<Slice> {
  const began = performance.now();
  const cpu = process.cpuUsage();
  let events = 0;
  const worker = async () => {
    while (performance.now() - began < SLICE_MS) {
      await append(Array.from({ length: size }, createEvent));
      events += size;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return toSlice(events, began, cpu);
}

async function compareFollowing() {
  for (let i = 0; i < FOLLOWED; i += BATCH)
    await store.events.append(createStreamName(), 'none', Array.from({ length: BATCH }, createEvent));
  return toFigure(
    `follow, the first ${FOLLOWED}`,
    await interleaveRounds(ROUNDS, {
      bare: () => measureFollowing(followWithClient),
      adapter: () => measureFollowing(followWithAdapter),
    }),
  );
}

async function measureFollowing(follow: () => Promise<void>): Promise<Slice> {
  const began = performance.now();
  const cpu = process.cpuUsage();
  await follow();
  return toSlice(FOLLOWED, began, cpu);
}

function toSlice(events: number, began: number, before: NodeJS.CpuUsage): Slice {
  const { user, system } = process.cpuUsage(before);
  return {
    eventsPerSecond: (events / (performance.now() - began)) * 1_000,
    cpuMicrosPerEvent: (user + system) / events,
  };
}

async function followWithClient(): Promise<void> {
  const subscription = bare.subscribeToAll();
  subscription.on('error', () => undefined);
  let seen = 0;
  await new Promise<void>((resolve) => subscription.on('data', () => ++seen === FOLLOWED && resolve()));
  await subscription.unsubscribe();
}

async function followWithAdapter(): Promise<void> {
  let seen = 0;
  for await (const page of store.events.follow({ after: '' }, AbortSignal.timeout(60_000))) {
    seen += page.events.length;
    if (seen >= FOLLOWED) return;
  }
}

function toFigure(
  name: string,
  { bare, adapter }: { readonly bare: readonly Slice[]; readonly adapter: readonly Slice[] },
) {
  const rate = ({ eventsPerSecond }: Slice) => eventsPerSecond;
  const cpu = ({ cpuMicrosPerEvent }: Slice) => cpuMicrosPerEvent;
  return {
    name,
    ratios: {
      events_per_second: round(computeMedianRatio(adapter, bare, rate)),
      cpu: round(computeMedianRatio(adapter, bare, cpu)),
    },
    events_per_second: { bare: round(computeMedian(bare.map(rate))), adapter: round(computeMedian(adapter.map(rate))) },
    cpu_us_per_event: { bare: round(computeMedian(bare.map(cpu))), adapter: round(computeMedian(adapter.map(cpu))) },
  };
}
