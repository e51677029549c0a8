// Measures a SIGKILL during 2,000 deliveries with an immediate restart, for the service and for a BullMQ worker. Prints
// one JSON document on standard output and progress on standard error. Node runs this folder without a build.
import { beginMortalBullMq } from './bullmq/mortal.ts';
import { NO_REDIS, redisIsThere } from './bullmq/redis.ts';
import { Arrivals } from './deliveries/arrivals.ts';
import { IN_FLIGHT } from './deliveries/measured-service.ts';
import { sampleOf } from './deliveries/sample.ts';
import { machine } from './machine.ts';
import { drainedThroughAKill, type Mortal } from './trials/killed-drain.ts';
import { beginMortalService } from './trials/mortal-service.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** Each round takes a minute. */
const ROUNDS_OF_BULLMQ = 1;
const EVENTS = 2_000;

const arrivals = await Arrivals.start();
try {
  const sample = await sampleOf(arrivals);
  const service = await rounds('service', ROUNDS, () => beginMortalService(arrivals, sample));
  const bullmq = redisIsThere() ? await rounds('bullmq', ROUNDS_OF_BULLMQ, () => beginMortalBullMq(arrivals, sample)) : NO_REDIS;
  const conditions = { machine: machine(), events: EVENTS, in_flight: IN_FLIGHT };
  console.log(JSON.stringify({ bench: 'drain', ...conditions, service, bullmq }, null, 2));
} finally {
  await arrivals.stop();
}

async function rounds(name: string, count: number, begin: () => Promise<Mortal>) {
  const survived = [];
  for (let round = 1; round <= count; round++) {
    console.error(`${name}: round ${round} of ${count}`);
    survived.push(await drainOf(await begin()));
  }
  return survived;
}

async function drainOf(mortal: Mortal) {
  try {
    const survived = await drainedThroughAKill(mortal, arrivals, EVENTS);
    return { ...survived, ...(mortal.recordedAsLost && { recorded_as_lost: mortal.recordedAsLost() }) };
  } finally {
    await mortal.end();
  }
}
