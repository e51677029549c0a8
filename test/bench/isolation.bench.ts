// Measures how receivers that never respond slow the other deliveries: 200 events per second to 100 endpoints, of which
// 10 and then 30 are silent; for the service and for a BullMQ worker. For the service it also measures host names whose
// DNS servers never respond. Prints one JSON document on standard output and progress on standard error. Node runs this
// folder without a build.
import { createBullMqPublisher, SLOTS } from './bullmq/publisher.ts';
import { JOB_OPTIONS } from './bullmq/queue.ts';
import { isRedisInstalled, REDIS_MISSING } from './bullmq/redis.ts';
import { Arrivals } from './deliveries/arrivals.ts';
import { captureSample } from './deliveries/sample.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, round } from './numbers.ts';
import { measureHealthyLags, type Silence, type StartPublisher } from './trials/isolation.ts';
import { startServicePublisher } from './trials/publisher.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const SECONDS_WITHOUT = Math.ceil(SECONDS / 6);
const SILENT_RECEIVER_COUNTS = [10, 30].map((silent) => ({ silent, of: 'receivers' }) as const);
const SILENT_NAME_COUNTS = [10, 30].map((silent) => ({ silent, of: 'names' }) as const);
const NAMES = ['service', 'bullmq'] as const;
/** The systems named as arguments; by default all. */
const wanted = process.argv.length > 2 ? NAMES.filter((name) => process.argv.includes(name)) : NAMES;

const arrivals = await Arrivals.start();
try {
  const sample = await captureSample(arrivals);
  const messengers = { service: startServicePublisher, bullmq: createBullMqPublisher(sample) };
  const found: Record<string, object> = {};
  for (const name of wanted)
    found[name] =
      name === 'service' || isRedisInstalled() ? await measureIsolation(name, messengers[name]) : REDIS_MISSING;
  const conditions = { machine: describeMachine(), seconds: SECONDS, bullmq_is: { slots: SLOTS, job: JOB_OPTIONS } };
  console.log(JSON.stringify({ bench: 'isolation', ...conditions, ...found }, null, 2));
} finally {
  await arrivals.stop();
}

/**
 * Runs without silent receivers come before, between and after those with them, so that all run under the same
 * conditions.
 */
async function measureIsolation(name: string, begin: StartPublisher) {
  const lags = (silent: number, seconds: number, of: Silence = 'receivers') => {
    console.error(`${name}: ${silent} of 100 ${of} silent, ${seconds} s`);
    return measureHealthyLags(begin, arrivals, silent, seconds, of);
  };
  const without = [await lags(0, SECONDS_WITHOUT)];
  const found = [];
  const trials = name === 'service' ? [...SILENT_RECEIVER_COUNTS, ...SILENT_NAME_COUNTS] : SILENT_RECEIVER_COUNTS;
  for (const { silent, of } of trials) {
    found.push({ silent, of, ...(await lags(silent, SECONDS, of)) });
    without.push(await lags(0, SECONDS_WITHOUT));
  }
  const p95 = computeMedian(without.map(({ p95_ms }) => p95_ms));
  return { without, with: found.map((each) => ({ ...each, p95_ratio: round(each.p95_ms / p95) })) };
}
