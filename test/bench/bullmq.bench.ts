// Compares the service with a BullMQ worker on Redis that signs and posts the same bodies to the same receiver, and
// both
// with a bare undici loop, in interleaved slices. Prints one JSON document on standard output and progress on standard
// error. Node runs this folder without a build.
import { drainedByBullMq } from './bullmq/drain.ts';
import { fanOutOfBullMq, lagOfBullMq } from './bullmq/lag.ts';
import { JOB_OPTIONS } from './bullmq/queue.ts';
import { NO_REDIS, redisIsThere } from './bullmq/redis.ts';
import { Arrivals } from './deliveries/arrivals.ts';
import { bare, drained, type Drain } from './deliveries/drain.ts';
import { fanOut, lag } from './deliveries/lag.ts';
import { IN_FLIGHT } from './deliveries/measured-service.ts';
import { sampleOf } from './deliveries/sample.ts';
import { machine } from './machine.ts';
import { median, rounded } from './numbers.ts';
import { byTurns, ratioOf } from './turns.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 10_000);
/** The only BullMQ settings. By default BullMQ keeps completed jobs, but no log of attempts. */
const SETTING = { concurrency: IN_FLIGHT, job: JOB_OPTIONS, redis: { appendonly: 'yes', appendfsync: 'always, as our store flushes' } };

const arrivals = await Arrivals.start();
try {
  console.log(JSON.stringify({ bench: 'bullmq', ...(redisIsThere() ? await measured() : NO_REDIS) }, null, 2));
} finally {
  await arrivals.stop();
}

async function measured() {
  const sample = await sampleOf(arrivals);
  const drains = await byTurns(
    ROUNDS,
    {
      bare: () => bare(arrivals, DELIVERIES, sample),
      service: () => drained(arrivals, DELIVERIES, sample),
      bullmq: () => drainedByBullMq(arrivals, DELIVERIES, sample, 'always'),
      bullmq_everysec: () => drainedByBullMq(arrivals, DELIVERIES, sample, 'everysec'),
    },
    false,
  );
  const rates = Object.fromEntries(Object.entries(drains).map(([name, of]) => [name, rateAgainst(drains.bare, of)]));
  console.error('lag');
  const lags = { service: await lag(arrivals), bullmq: await lagOfBullMq(arrivals, sample) };
  console.error('one event to many endpoints');
  const fanOuts = { service: await fanOut(arrivals), bullmq: await fanOutOfBullMq(arrivals, sample) };
  const conditions = { machine: machine(), deliveries: DELIVERIES, in_flight: IN_FLIGHT, bullmq: SETTING };
  return { ...conditions, rates, lag: lags, fan_out: fanOuts };
}

function rateAgainst(loop: readonly Drain[], drains: readonly Drain[]) {
  return {
    ratio: rounded(ratioOf(drains, loop, ({ perSecond }) => perSecond)),
    cpu_ratio: rounded(ratioOf(drains, loop, ({ cpuMicros }) => cpuMicros)),
    per_second: rounded(median(drains.map(({ perSecond }) => perSecond))),
    cpu_us_per_delivery: rounded(median(drains.map(({ cpuMicros }) => cpuMicros))),
  };
}
