// Measures how a long backlog of one endpoint slows the deliveries of another business, and how often its jobs are
// claimed. BENCH_SIZE: the number of waiting delivery chains. Prints one JSON document on standard output and progress
// on standard error. Node runs this folder without a build.
import { setTimeout as delay } from 'node:timers/promises';
import { Receiver } from '../support/receiver.ts';
import { respondWith } from '../support/receiver-responses.ts';
import { fillBacklog, readClaims } from './backlog/fill-backlog.ts';
import { Arrivals, READ_PATH } from './deliveries/arrivals.ts';
import { findFirstArrivals } from './deliveries/first-arrivals.ts';
import { toPercentiles } from './deliveries/lag-percentiles.ts';
import { MeasuredService } from './deliveries/measured-service.ts';
import { requestSteadily } from './deliveries/steady-requests.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, round } from './numbers.ts';

const SIZE = Number(process.env.BENCH_SIZE ?? 300_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const EVENTS_PER_SECOND = 20;
const WARMING_SECONDS = 5;
const SLOW_PATH = '/slow';
/** More events than an endpoint with this rate gets before its first attempt waits for long. */
const FIRST_EVENTS = 20;
const RATE = 1;

const [arrivals, slow] = [await Arrivals.start(), await Receiver.start()];
slow.setResponses(SLOW_PATH, respondWith(200));
try {
  const without = [await measureWithoutBacklog()];
  const beside = await measureWithBacklog();
  without.push(await measureWithoutBacklog());
  const ratioOf = (of: 'p95_ms' | 'cpu_ms') => round(beside.lags[of] / computeMedian(without.map((each) => each[of])));
  const ratios = { p95: ratioOf('p95_ms'), cpu: ratioOf('cpu_ms') };
  const conditions = {
    machine: describeMachine(),
    waiting: SIZE,
    rate_per_second: RATE,
    events_per_second: EVENTS_PER_SECOND,
  };
  console.log(JSON.stringify({ bench: 'backlog', ...conditions, without, with: beside, ratios }, null, 2));
} finally {
  await Promise.all([arrivals.stop(), slow.stop()]);
}

async function measureWithoutBacklog() {
  const service = await MeasuredService.start();
  try {
    const [key] = (await service.createBusinesses(1)) as [string];
    await service.createEndpoint(arrivals.url + READ_PATH, service.createApi(key));
    return await measureLags(service, key);
  } finally {
    await service.dispose();
  }
}

async function measureWithBacklog() {
  const service = await MeasuredService.start();
  try {
    const [key] = (await service.createBusinesses(1)) as [string];
    await service.createEndpoint(arrivals.url + READ_PATH, service.createApi(key));
    const endpointId = await service.createEndpoint(slow.url(SLOW_PATH), service.createApi(), {
      rate_limit_per_second: RATE,
    });
    for (let i = 0; i < FIRST_EVENTS; i++) await service.causeEvent();
    await delay(1_000);
    await service.stop();
    await fillBacklog(service.dataDir, endpointId, SIZE);
    const [before, requestsBefore] = [readClaims(service.dataDir), slow.requestsFor(SLOW_PATH).length];
    const began = await service.restart();
    const found = await measureLags(service, key);
    await service.stop();
    return {
      lags: found,
      ...countClaims(
        before,
        readClaims(service.dataDir),
        slow.requestsFor(SLOW_PATH).length - requestsBefore,
        Date.now() - began,
      ),
    };
  } finally {
    await service.dispose();
  }
}

/** Measures lags. `cpu_ms`: CPU time of the whole process, per event. */
async function measureLags(service: MeasuredService, key: string) {
  await arrivals.forget();
  const api = service.createApi(key);
  await service.takeCpuMicros();
  const pace = { perSecond: EVENTS_PER_SECOND, seconds: WARMING_SECONDS + SECONDS };
  const asked = await requestSteadily(pace, () => service.causeEvent(api));
  const arrived = await findFirstArrivals(arrivals, asked.size);
  const cpu_ms = round((await service.takeCpuMicros()) / 1_000 / asked.size);
  const measured = [...asked].slice(WARMING_SECONDS * EVENTS_PER_SECOND);
  return {
    events: measured.length,
    cpu_ms,
    ...toPercentiles(measured.map(([id, at]) => (arrived.get(id) ?? Infinity) - at)),
  };
}

/** Counts claims. A sent job is deleted; it was claimed once. */
function countClaims(
  before: ReturnType<typeof readClaims>,
  after: ReturnType<typeof readClaims>,
  sent: number,
  ms: number,
) {
  const claims = after.attempts - before.attempts + after.backlogs - before.backlogs + sent;
  return { sent, claims, claims_per_second: round((claims * 1_000) / ms) };
}
