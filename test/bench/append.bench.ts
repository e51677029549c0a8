// Compares appends of the event store with bare inserts of the same rows, in short interleaved slices.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importBuilt } from './built.ts';
import { timeOfACommit } from './commits.ts';
import { LoopDelayGauge, middleDelay, type LoopDelay } from './loop-delay.ts';
import { BareLog, newEvent, newStream } from './log.ts';
import { machine } from './machine.ts';
import { median, percentile, rounded } from './numbers.ts';
import { adder } from './streams.ts';
import { byTurns, ratioOf } from './turns.ts';

const { openEmbedded } = await importBuilt<typeof import('../../src/stores/embedded/embedded.js')>('stores/embedded/embedded.js');

const ROUNDS = 15;
const SLICE_MS = 300;
const AT_ONCE = 64;

interface Slice {
  readonly appendsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly loopDelayMs: LoopDelay;
}

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
const bare = new BareLog(join(folder, 'bare.sqlite'));
const stores = await openEmbedded({ file: join(folder, 'store.sqlite') });
const addCoins = adder(stores.events);
const gauge = new LoopDelayGauge();
try {
  const commit = timeOfACommit(folder);
  const figures = [await compared(1), await compared(AT_ONCE)];
  console.log(JSON.stringify({ bench: 'append', machine: machine(), rounds: ROUNDS, slice_ms: SLICE_MS, commit, figures }, null, 2));
} finally {
  bare.close();
  await stores.close();
  await rm(folder, { recursive: true, force: true });
}

async function compared(atOnce: number) {
  const slices = await byTurns(ROUNDS, {
    bare: () => slice(1, atOnce, async () => bare.append(Array.from({ length: atOnce }, newEvent))),
    store: () => slice(atOnce, 1, () => stores.events.append(newStream(), 'none', [newEvent()])),
    streams: () => slice(atOnce, 1, () => addCoins()),
  });
  const rate = ({ appendsPerSecond }: Slice) => appendsPerSecond;
  return {
    name: `${atOnce} at once`,
    ratios: {
      store: rounded(ratioOf(slices.store, slices.bare, rate)),
      streams: rounded(ratioOf(slices.streams, slices.bare, rate)),
    },
    ...Object.fromEntries(Object.entries(slices).map(([name, all]) => [name, middleOf(all)])),
  };
}

/** Runs concurrent loops; each appends again as soon as its append has finished. */
async function slice(lanes: number, appendsATurn: number, append: () => Promise<unknown>): Promise<Slice> {
  const times: number[] = [];
  gauge.read();
  const began = performance.now();
  const end = began + SLICE_MS;
  const lane = async () => {
    for (let now = performance.now(); now < end;) {
      await append();
      times.push(performance.now() - now);
      now = performance.now();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const elapsedMs = performance.now() - began;
  return {
    appendsPerSecond: ((times.length * appendsATurn) / elapsedMs) * 1_000,
    p50Ms: percentile(times, 50),
    p99Ms: percentile(times, 99),
    loopDelayMs: gauge.read(),
  };
}

function middleOf(slices: readonly Slice[]) {
  const middle = (of: (slice: Slice) => number) => rounded(median(slices.map(of)));
  return {
    appends_per_second: middle((slice) => slice.appendsPerSecond),
    p50_ms: middle((slice) => slice.p50Ms),
    p99_ms: middle((slice) => slice.p99Ms),
    event_loop_delay_ms: middleDelay(slices.map(({ loopDelayMs }) => loopDelayMs)),
  };
}
