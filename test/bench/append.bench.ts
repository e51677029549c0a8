// Compares appends of the event store with bare inserts of the same rows, in short interleaved slices.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importBuilt } from './built.ts';
import { measureCommit } from './commits.ts';
import { computeMedianRatio, interleaveRounds } from './interleave.ts';
import { BareLog, createEvent, createStreamName } from './log.ts';
import { type LoopDelay, LoopDelayGauge, takeMedianDelays } from './loop-delay.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, computePercentile, round } from './numbers.ts';
import { createAppender } from './streams.ts';

const { openEmbedded } =
  await importBuilt<typeof import('../../src/stores/embedded/embedded.js')>('stores/embedded/embedded.js');

const ROUNDS = 15;
const SLICE_MS = 300;
const CONCURRENCY = 64;

interface Slice {
  readonly appendsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly loopDelayMs: LoopDelay;
}

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
const bare = new BareLog(join(folder, 'bare.sqlite'));
const stores = await openEmbedded({ file: join(folder, 'store.sqlite') });
const addCoins = createAppender(stores.events);
const gauge = new LoopDelayGauge();
try {
  const commit = measureCommit(folder);
  const figures = [await compareAppends(1), await compareAppends(CONCURRENCY)];
  console.log(
    JSON.stringify(
      { bench: 'append', machine: describeMachine(), rounds: ROUNDS, slice_ms: SLICE_MS, commit, figures },
      null,
      2,
    ),
  );
} finally {
  bare.close();
  await stores.close();
  await rm(folder, { recursive: true, force: true });
}

async function compareAppends(concurrency: number) {
  const slices = await interleaveRounds(ROUNDS, {
    bare: () => measureSlice(1, concurrency, async () => bare.append(Array.from({ length: concurrency }, createEvent))),
    store: () => measureSlice(concurrency, 1, () => stores.events.append(createStreamName(), 'none', [createEvent()])),
    streams: () => measureSlice(concurrency, 1, () => addCoins()),
  });
  const rate = ({ appendsPerSecond }: Slice) => appendsPerSecond;
  return {
    name: `${concurrency} at once`,
    ratios: {
      store: round(computeMedianRatio(slices.store, slices.bare, rate)),
      streams: round(computeMedianRatio(slices.streams, slices.bare, rate)),
    },
    ...Object.fromEntries(Object.entries(slices).map(([name, all]) => [name, takeMedians(all)])),
  };
}

/** Runs concurrent loops; each appends again as soon as its append has finished. */
async function measureSlice(concurrency: number, appendsATurn: number, append: () => Promise<unknown>): Promise<Slice> {
  const times: number[] = [];
  gauge.read();
  const began = performance.now();
  const end = began + SLICE_MS;
  const worker = async () => {
    for (let now = performance.now(); now < end;) {
      await append();
      times.push(performance.now() - now);
      now = performance.now();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const elapsedMs = performance.now() - began;
  return {
    appendsPerSecond: ((times.length * appendsATurn) / elapsedMs) * 1_000,
    p50Ms: computePercentile(times, 50),
    p99Ms: computePercentile(times, 99),
    loopDelayMs: gauge.read(),
  };
}

function takeMedians(slices: readonly Slice[]) {
  const middle = (of: (slice: Slice) => number) => round(computeMedian(slices.map(of)));
  return {
    appends_per_second: middle((slice) => slice.appendsPerSecond),
    p50_ms: middle((slice) => slice.p50Ms),
    p99_ms: middle((slice) => slice.p99Ms),
    event_loop_delay_ms: takeMedianDelays(slices.map(({ loopDelayMs }) => loopDelayMs)),
  };
}
