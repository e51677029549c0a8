// Compares deliveries with a bare undici loop that signs and posts the same bodies to the same receiver, in interleaved
// slices. Prints one JSON document on standard output and progress on standard error. Node runs this folder without a
// build.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timeOfACommit } from './commits.ts';
import { Arrivals } from './deliveries/arrivals.ts';
import { bare, drained, type Drain } from './deliveries/drain.ts';
import { fanOut, lag } from './deliveries/lag.ts';
import { IN_FLIGHT } from './deliveries/measured-service.ts';
import { microsFor, microsIn, type Micros } from './deliveries/profile.ts';
import { countRows, rowsFor } from './deliveries/rows.ts';
import { sampleOf, type Sample } from './deliveries/sample.ts';
import { machine } from './machine.ts';
import { median, rounded } from './numbers.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 10_000);
const COUNTED = 2_000;
/** The upper limit of the lag: a number of commits and a constant. */
const COMMITS_OF_LAG = 5;
const BESIDE_COMMITS_MS = 3;

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
const arrivals = await Arrivals.start();
try {
  console.log(JSON.stringify(await measured(), null, 2));
} finally {
  await arrivals.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measured() {
  const sample = await sampleOf(arrivals);
  const rates = await ratesOf(sample);
  return {
    bench: 'deliveries',
    machine: machine(),
    deliveries: DELIVERIES,
    in_flight: IN_FLIGHT,
    body_bytes: Buffer.byteLength(sample.body),
    rates,
    lag: await lagBesideCommits(),
    fan_out: await said('one event to many endpoints', () => fanOut(arrivals)),
    rows_per_delivery: await said('rows', () => rowsOf(sample)),
    micros_per_delivery: await said('profile', () => profileOf(sample)),
  };
}

async function ratesOf(sample: Sample) {
  const [service, loop]: [Drain[], Drain[]] = [[], []];
  for (let round = 1; round <= ROUNDS; round++) {
    loop.push(await said(`round ${round} of ${ROUNDS}: bare`, () => bare(arrivals, DELIVERIES, sample)));
    service.push(await said(`round ${round} of ${ROUNDS}: service`, () => drained(arrivals, DELIVERIES, sample)));
  }
  const [ours, theirs] = [middleOf(service), middleOf(loop)];
  return { ratio: rounded(ours.per_second / theirs.per_second), service: ours, bare: theirs };
}

function middleOf(drains: readonly Drain[]) {
  const rates = drains.map(({ perSecond }) => rounded(perSecond));
  const cpu = rounded(median(drains.map(({ cpuMicros }) => cpuMicros)));
  return { per_second: median(rates), per_second_of_each_round: rates, cpu_us_per_delivery: cpu };
}

async function lagBesideCommits() {
  const commit = timeOfACommit(folder);
  const lags = await said('lag', () => lag(arrivals));
  return { ...lags, commit, allowed_p95_ms: rounded(COMMITS_OF_LAG * commit.p50_ms + BESIDE_COMMITS_MS) };
}

async function rowsOf(sample: Sample) {
  let rows = {};
  await drained(arrivals, COUNTED, sample, {
    before: (dataDir) => countRows(dataDir),
    after: (dataDir) => (rows = rowsFor(dataDir, COUNTED)),
  });
  return rows;
}

/** Measures the CPU time of one delivery in each thread of the service. */
async function profileOf(sample: Sample) {
  const [whole, without] = [await profiled(DELIVERIES, sample), await profiled(0, sample)];
  return microsFor(DELIVERIES, whole, without);
}

async function profiled(count: number, sample: Sample): Promise<Micros> {
  const profiles = join(folder, `profiles-${count}`);
  await drained(arrivals, count, sample, { environment: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` } });
  return microsIn(profiles);
}

async function said<T>(what: string, work: () => Promise<T>): Promise<T> {
  console.error(what);
  return work();
}
