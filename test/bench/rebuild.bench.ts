// Compares a rebuild with a loop that reads and upserts, on the same log, file and documents, in interleaved rounds. An
// argument sets the number of events: `npm run bench rebuild 1000000`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importBuilt } from './built.ts';
import { measureCommit } from './commits.ts';
import { computeMedianRatio, interleaveRounds } from './interleave.ts';
import { EVENTS_PER_JAR, fillLog, foldBare, jars } from './jars.ts';
import { type LoopDelay, LoopDelayGauge, takeMedianDelays } from './loop-delay.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, round } from './numbers.ts';

const { openEmbedded } =
  await importBuilt<typeof import('../../src/stores/embedded/embedded.js')>('stores/embedded/embedded.js');
const { BuildFiller } = await importBuilt<typeof import('../../src/engine/builds/build-filler.js')>(
  'engine/builds/build-filler.js',
);
const { SharedLog } =
  await importBuilt<typeof import('../../src/engine/builds/shared-log.js')>('engine/builds/shared-log.js');
const { buildOf } = await importBuilt<typeof import('../../src/kernel/projection.js')>('kernel/projection.js');
const { SystemClock, SystemRandom } = await importBuilt<typeof import('../../src/kernel/clock.js')>('kernel/clock.js');

const SIZES = [10_000, 100_000];
/** From this number of events one round without a warm-up is enough. */
const LARGE = 1_000_000;
const ROUNDS = 3;

interface Slice {
  readonly microsAnEvent: number;
  readonly loopDelayMs: LoopDelay;
}

let builds = 0;

const gauge = new LoopDelayGauge();
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : SIZES;
const folder = await mkdtemp(join(tmpdir(), 'bench-'));
try {
  const commit = measureCommit(folder);
  const figures = [];
  for (const events of sizes) figures.push(await compareRebuilds(events));
  console.log(JSON.stringify({ bench: 'rebuild', machine: describeMachine(), commit, figures }, null, 2));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function compareRebuilds(events: number) {
  const file = join(folder, `${events}.sqlite`);
  const stores = await openEmbedded({ file });
  try {
    fillLog(file, events);
    const rounds = events >= LARGE ? 1 : ROUNDS;
    const slices = await interleaveRounds(
      rounds,
      { bare: () => rebuildBare(stores, file, events), build: () => build(stores, events) },
      events < LARGE,
    );
    const rate = ({ microsAnEvent }: Slice) => 1 / microsAnEvent;
    return {
      events,
      rounds,
      ratio: round(computeMedianRatio(slices.build, slices.bare, rate)),
      build: takeMedians(slices.build),
      bare: takeMedians(slices.bare),
    };
  } finally {
    await stores.close();
  }
}

type Stores = Awaited<ReturnType<typeof openEmbedded>>;

async function rebuildBare({ models }: Stores, file: string, events: number): Promise<Slice> {
  await models.ensureCollection('bare', jars);
  const slice = await measureRebuild(events, async () => foldBare(file, 'bare'));
  await models.dropCollection('bare');
  return slice;
}

async function build({ events: store, models, checkpoints }: Stores, events: number): Promise<Slice> {
  const clock = new SystemClock();
  const log = new SharedLog(store, clock);
  const tools = { store, readModels: models, checkpoints, clock, random: new SystemRandom(), log };
  const name = buildOf('jars@1', ++builds);
  const slice = await measureRebuild(events, () =>
    new BuildFiller(jars, name, tools).run(new AbortController().signal),
  );
  if ((await models.count(name, {})) !== events / EVENTS_PER_JAR) throw new Error('the build is not whole');
  await models.dropCollection(name);
  return slice;
}

async function measureRebuild(events: number, work: () => Promise<void>): Promise<Slice> {
  gauge.read();
  const began = performance.now();
  await work();
  return { microsAnEvent: ((performance.now() - began) * 1_000) / events, loopDelayMs: gauge.read() };
}

function takeMedians(slices: readonly Slice[]) {
  const middle = (of: (slice: Slice) => number) => round(computeMedian(slices.map(of)));
  return {
    us_an_event: middle((slice) => slice.microsAnEvent),
    events_per_second: middle((slice) => 1_000_000 / slice.microsAnEvent),
    event_loop_delay_ms: takeMedianDelays(slices.map(({ loopDelayMs }) => loopDelayMs)),
  };
}
