// Compares the EventStoreDB adapter with the bare client on one server: appends and a subscription, in short interleaved
// slices. The server is the tests' own, in memory and in another process: only the ratios are meaningful, not the rates.
import { join } from 'node:path';
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import type { NewEvent } from '../../src/kernel/event.js';
import { importBuilt } from './built.ts';
import { interleaveRounds } from './interleave.ts';
import { createEvent, createStreamName } from './log.ts';
import { describeMachine } from './machine.ts';
import { MeasuredServer } from './server.ts';
import { measureLoops, measureWork, toStoreFigure } from './store-slices.ts';

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
      measureAppends(concurrency, size, (events) =>
        bare.appendToStream(createStreamName(), events.map(toClientEvent), { ...UNARY, expectedRevision: NO_STREAM }),
      ),
    adapter: () =>
      measureAppends(concurrency, size, (events) => store.events.append(createStreamName(), 'none', events)),
  });
  return toStoreFigure(`append, ${size} an append, ${concurrency} at once`, slices);
}

function measureAppends(concurrency: number, size: number, append: (events: NewEvent[]) => Promise<unknown>) {
  return measureLoops(concurrency, SLICE_MS, async () => {
    await append(Array.from({ length: size }, createEvent));
    return size;
  });
}

function toClientEvent({ id, type, data, meta }: NewEvent) {
  return jsonEvent({ id, type, data: data as Record<string, unknown>, metadata: { ...meta } });
}

async function compareFollowing() {
  for (let i = 0; i < FOLLOWED; i += BATCH)
    await store.events.append(createStreamName(), 'none', Array.from({ length: BATCH }, createEvent));
  return toStoreFigure(
    `follow, the first ${FOLLOWED}`,
    await interleaveRounds(ROUNDS, {
      bare: () => measureWork(followWithClient),
      adapter: () => measureWork(followWithAdapter),
    }),
  );
}

async function followWithClient(): Promise<number> {
  const subscription = bare.subscribeToAll();
  subscription.on('error', () => undefined);
  let seen = 0;
  await new Promise<void>((resolve) => subscription.on('data', () => ++seen === FOLLOWED && resolve()));
  await subscription.unsubscribe();
  return seen;
}

async function followWithAdapter(): Promise<number> {
  let seen = 0;
  for await (const page of store.events.follow({ after: '' }, AbortSignal.timeout(60_000))) {
    seen += page.events.length;
    if (seen >= FOLLOWED) break;
  }
  return seen;
}
