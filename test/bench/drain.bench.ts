// Measures a SIGKILL during 2,000 deliveries with an immediate restart, for the service and for a BullMQ worker. Prints
// one JSON document on standard output and progress on standard error. Node runs this folder without a build.
import { startKillableBullMq } from './bullmq/killable-worker.ts';
import { isRedisInstalled, REDIS_MISSING } from './bullmq/redis.ts';
import { Arrivals } from './deliveries/arrivals.ts';
import { IN_FLIGHT } from './deliveries/measured-service.ts';
import { captureSample } from './deliveries/sample.ts';
import { describeMachine } from './machine.ts';
import { startKillableService } from './trials/killable-service.ts';
import { drainWithKill, type KillableSender } from './trials/killed-drain.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** Each round takes a minute. */
const ROUNDS_OF_BULLMQ = 1;
const EVENTS = 2_000;

const arrivals = await Arrivals.start();
try {
  const sample = await captureSample(arrivals);
  const service = await runRounds('service', ROUNDS, () => startKillableService(arrivals, sample));
  const bullmq = isRedisInstalled()
    ? await runRounds('bullmq', ROUNDS_OF_BULLMQ, () => startKillableBullMq(arrivals, sample))
    : REDIS_MISSING;
  const conditions = { machine: describeMachine(), events: EVENTS, in_flight: IN_FLIGHT };
  console.log(JSON.stringify({ bench: 'drain', ...conditions, service, bullmq }, null, 2));
} finally {
  await arrivals.stop();
}

async function runRounds(name: string, count: number, begin: () => Promise<KillableSender>) {
  const survived = [];
  for (let round = 1; round <= count; round++) {
    console.error(`${name}: round ${round} of ${count}`);
    survived.push(await runDrain(await begin()));
  }
  return survived;
}

async function runDrain(sender: KillableSender) {
  try {
    const survived = await drainWithKill(sender, arrivals, EVENTS);
    return { ...survived, ...(sender.countLost && { recorded_as_lost: sender.countLost() }) };
  } finally {
    await sender.stop();
  }
}
