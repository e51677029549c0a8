// Compares deliveries with a bare undici loop that signs and posts the same bodies to the same receiver, in interleaved
// slices. Prints one JSON document on standard output and progress on standard error. Node runs this folder without a
// build.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureCommit } from './commits.ts';
import { Arrivals } from './deliveries/arrivals.ts';
import { type Drain, drainBareLoop, drainService } from './deliveries/drain.ts';
import { measureFanOut, measureLag } from './deliveries/lag.ts';
import { IN_FLIGHT } from './deliveries/measured-service.ts';
import { type Micros, readMicros, subtractPerDelivery } from './deliveries/profile.ts';
import { countRows, readRowCounts } from './deliveries/rows.ts';
import { captureSample, type Sample } from './deliveries/sample.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, round } from './numbers.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 10_000);
const COUNTED = 2_000;
/** The upper limit of the lag: a number of commits and a constant. */
const MAX_LAG_COMMITS = 5;
const LAG_MARGIN_MS = 3;

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
const arrivals = await Arrivals.start();
try {
  console.log(JSON.stringify(await measureAll(), null, 2));
} finally {
  await arrivals.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measureAll() {
  const sample = await captureSample(arrivals);
  const rates = await compareRates(sample);
  return {
    bench: 'deliveries',
    machine: describeMachine(),
    deliveries: DELIVERIES,
    in_flight: IN_FLIGHT,
    body_bytes: Buffer.byteLength(sample.body),
    rates,
    lag: await compareLagWithCommits(),
    fan_out: await runWithProgress('one event to many endpoints', () => measureFanOut(arrivals)),
    rows_per_delivery: await runWithProgress('rows', () => measureRows(sample)),
    micros_per_delivery: await runWithProgress('profile', () => measureProfile(sample)),
  };
}

async function compareRates(sample: Sample) {
  const [service, loop]: [Drain[], Drain[]] = [[], []];
  for (let round = 1; round <= ROUNDS; round++) {
    loop.push(
      await runWithProgress(`round ${round} of ${ROUNDS}: bare`, () => drainBareLoop(arrivals, DELIVERIES, sample)),
    );
    service.push(
      await runWithProgress(`round ${round} of ${ROUNDS}: service`, () => drainService(arrivals, DELIVERIES, sample)),
    );
  }
  const [measured, baseline] = [takeMedians(service), takeMedians(loop)];
  return { ratio: round(measured.per_second / baseline.per_second), service: measured, bare: baseline };
}

function takeMedians(drains: readonly Drain[]) {
  const rates = drains.map(({ perSecond }) => round(perSecond));
  const cpu = round(computeMedian(drains.map(({ cpuMicros }) => cpuMicros)));
  return { per_second: computeMedian(rates), per_second_of_each_round: rates, cpu_us_per_delivery: cpu };
}

async function compareLagWithCommits() {
  const commit = measureCommit(folder);
  const lags = await runWithProgress('lag', () => measureLag(arrivals));
  return { ...lags, commit, allowed_p95_ms: round(MAX_LAG_COMMITS * commit.p50_ms + LAG_MARGIN_MS) };
}

async function measureRows(sample: Sample) {
  let rows = {};
  await drainService(arrivals, COUNTED, sample, {
    before: (dataDir) => countRows(dataDir),
    after: (dataDir) => (rows = readRowCounts(dataDir, COUNTED)),
  });
  return rows;
}

/** Measures the CPU time of one delivery in each thread of the service. */
async function measureProfile(sample: Sample) {
  const [whole, without] = [await runProfiled(DELIVERIES, sample), await runProfiled(0, sample)];
  return subtractPerDelivery(DELIVERIES, whole, without);
}

async function runProfiled(count: number, sample: Sample): Promise<Micros> {
  const profiles = join(folder, `profiles-${count}`);
  await drainService(arrivals, count, sample, {
    environment: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` },
  });
  return readMicros(profiles);
}

async function runWithProgress<T>(what: string, work: () => Promise<T>): Promise<T> {
  console.error(what);
  return work();
}
