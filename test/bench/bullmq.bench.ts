// Compares the service with a BullMQ worker on Redis that signs and posts the same bodies to the same receiver, and
// both
// with a bare undici loop, in interleaved slices. Prints one JSON document on standard output and progress on standard
// error. Node runs this folder without a build.
import { drainBullMq } from './bullmq/drain.ts';
import { measureBullMqFanOut, measureBullMqLag } from './bullmq/lag.ts';
import { JOB_OPTIONS } from './bullmq/queue.ts';
import { isRedisInstalled, REDIS_MISSING } from './bullmq/redis.ts';
import { Arrivals } from './deliveries/arrivals.ts';
import { type Drain, drainBareLoop, drainService } from './deliveries/drain.ts';
import { measureFanOut, measureLag } from './deliveries/lag.ts';
import { IN_FLIGHT } from './deliveries/measured-service.ts';
import { captureSample } from './deliveries/sample.ts';
import { computeMedianRatio, interleaveRounds } from './interleave.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, round } from './numbers.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 10_000);
/** The only BullMQ settings. By default BullMQ keeps completed jobs, but no log of attempts. */
const BULLMQ_SETTINGS = {
  concurrency: IN_FLIGHT,
  job: JOB_OPTIONS,
  redis: { appendonly: 'yes', appendfsync: 'always, as our store flushes' },
};

const arrivals = await Arrivals.start();
try {
  console.log(
    JSON.stringify({ bench: 'bullmq', ...(isRedisInstalled() ? await measureAll() : REDIS_MISSING) }, null, 2),
  );
} finally {
  await arrivals.stop();
}

async function measureAll() {
  const sample = await captureSample(arrivals);
  const drains = await interleaveRounds(
    ROUNDS,
    {
      bare: () => drainBareLoop(arrivals, DELIVERIES, sample),
      service: () => drainService(arrivals, DELIVERIES, sample),
      bullmq: () => drainBullMq(arrivals, DELIVERIES, sample, 'always'),
      bullmq_everysec: () => drainBullMq(arrivals, DELIVERIES, sample, 'everysec'),
    },
    false,
  );
  const rates = Object.fromEntries(Object.entries(drains).map(([name, of]) => [name, compareRates(drains.bare, of)]));
  console.error('lag');
  const lags = { service: await measureLag(arrivals), bullmq: await measureBullMqLag(arrivals, sample) };
  console.error('one event to many endpoints');
  const fanOuts = { service: await measureFanOut(arrivals), bullmq: await measureBullMqFanOut(arrivals, sample) };
  const conditions = {
    machine: describeMachine(),
    deliveries: DELIVERIES,
    in_flight: IN_FLIGHT,
    bullmq: BULLMQ_SETTINGS,
  };
  return { ...conditions, rates, lag: lags, fan_out: fanOuts };
}

function compareRates(loop: readonly Drain[], drains: readonly Drain[]) {
  return {
    ratio: round(computeMedianRatio(drains, loop, ({ perSecond }) => perSecond)),
    cpu_ratio: round(computeMedianRatio(drains, loop, ({ cpuMicros }) => cpuMicros)),
    per_second: round(computeMedian(drains.map(({ perSecond }) => perSecond))),
    cpu_us_per_delivery: round(computeMedian(drains.map(({ cpuMicros }) => cpuMicros))),
  };
}
