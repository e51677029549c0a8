// Measures how a long backlog of one endpoint slows the deliveries of another business, and how often its jobs are
// claimed. BENCH_SIZE: the number of waiting delivery chains. Prints one JSON document on standard output and progress
// on standard error. Node runs this folder without a build.
import { setTimeout as delay } from 'node:timers/promises';
import { status } from '../support/answers.ts';
import { Receiver } from '../support/receiver.ts';
import { claimsIn, fillBacklog } from './backlog/filling.ts';
import { Arrivals, READ_PATH } from './deliveries/arrivals.ts';
import { arrivedFirst } from './deliveries/arrived.ts';
import { lagsOf } from './deliveries/lags.ts';
import { MeasuredService } from './deliveries/measured-service.ts';
import { askSteadily } from './deliveries/steadily.ts';
import { machine } from './machine.ts';
import { median, rounded } from './numbers.ts';

const SIZE = Number(process.env.BENCH_SIZE ?? 300_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const EVENTS_PER_SECOND = 20;
const WARMING_SECONDS = 5;
const SLOW_PATH = '/slow';
/** More events than an endpoint with this rate gets before its first attempt waits for long. */
const FIRST_EVENTS = 20;
const RATE = 1;

const [arrivals, slow] = [await Arrivals.start(), await Receiver.start()];
slow.answers(SLOW_PATH, status(200));
try {
  const without = [await lagsWithout()];
  const beside = await lagsBeside();
  without.push(await lagsWithout());
  const ratioOf = (of: 'p95_ms' | 'cpu_ms') => rounded(beside.lags[of] / median(without.map((each) => each[of])));
  const ratios = { p95: ratioOf('p95_ms'), cpu: ratioOf('cpu_ms') };
  const conditions = { machine: machine(), waiting: SIZE, rate_per_second: RATE, events_per_second: EVENTS_PER_SECOND };
  console.log(JSON.stringify({ bench: 'backlog', ...conditions, without, with: beside, ratios }, null, 2));
} finally {
  await Promise.all([arrivals.stop(), slow.stop()]);
}

async function lagsWithout() {
  const service = await MeasuredService.start();
  try {
    const [key] = (await service.businesses(1)) as [string];
    await service.endpoint(arrivals.url + READ_PATH, service.api(key));
    return await lags(service, key);
  } finally {
    await service.end();
  }
}

async function lagsBeside() {
  const service = await MeasuredService.start();
  try {
    const [key] = (await service.businesses(1)) as [string];
    await service.endpoint(arrivals.url + READ_PATH, service.api(key));
    const endpointId = await service.endpoint(slow.url(SLOW_PATH), service.api(), { rate_limit_per_second: RATE });
    for (let i = 0; i < FIRST_EVENTS; i++) await service.occur();
    await delay(1_000);
    await service.stop();
    await fillBacklog(service.dataDir, endpointId, SIZE);
    const [before, sentBefore] = [claimsIn(service.dataDir), slow.at(SLOW_PATH).length];
    const began = await service.restart();
    const found = await lags(service, key);
    await service.stop();
    return { lags: found, ...wakes(before, claimsIn(service.dataDir), slow.at(SLOW_PATH).length - sentBefore, Date.now() - began) };
  } finally {
    await service.end();
  }
}

/** Measures lags. `cpu_ms`: CPU time of the whole process, per event. */
async function lags(service: MeasuredService, key: string) {
  await arrivals.forget();
  const api = service.api(key);
  await service.cpuMicros();
  const pace = { perSecond: EVENTS_PER_SECOND, seconds: WARMING_SECONDS + SECONDS };
  const asked = await askSteadily(pace, () => service.occur(api));
  const arrived = await arrivedFirst(arrivals, asked.size);
  const cpu_ms = rounded((await service.cpuMicros()) / 1_000 / asked.size);
  const measured = [...asked].slice(WARMING_SECONDS * EVENTS_PER_SECOND);
  return { events: measured.length, cpu_ms, ...lagsOf(measured.map(([id, at]) => (arrived.get(id) ?? Infinity) - at)) };
}

/** Counts claims. A sent job is deleted; it was claimed once. */
function wakes(before: ReturnType<typeof claimsIn>, after: ReturnType<typeof claimsIn>, sent: number, ms: number) {
  const claims = after.attempts - before.attempts + after.backlogs - before.backlogs + sent;
  return { sent, claims, claims_per_second: rounded((claims * 1_000) / ms) };
}
