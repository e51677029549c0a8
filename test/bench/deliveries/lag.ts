import { setTimeout as delay } from 'node:timers/promises';
import { median, percentile, rounded } from '../numbers.ts';
import { READ_PATH, type Arrival, type Arrivals } from './arrivals.ts';
import { SendingService } from './sender.ts';

const EVENTS_PER_SECOND = 200;
const SECONDS = 8;
const WARMING_SECONDS = 3;
const ENDPOINTS = 100;
const FAN_OUTS = 12;
const WARMING_FAN_OUTS = 4;

/** From the request that causes an event to its arrival. */
export async function lag(arrivals: Arrivals) {
  const service = await SendingService.start(arrivals.url + READ_PATH);
  try {
    await arrivals.forget();
    const asked = await askSteadily(service);
    const arrived = arrivalsById(await arrivals.first(asked.size));
    const lags = [...asked].slice(WARMING_SECONDS * EVENTS_PER_SECOND).map(([id, at]) => arrived.get(id)! - at);
    return {
      events_per_second: EVENTS_PER_SECOND,
      events: lags.length,
      p50_ms: rounded(median(lags)),
      p95_ms: rounded(percentile(lags, 95)),
      p99_ms: rounded(percentile(lags, 99)),
    };
  } finally {
    await service.end();
  }
}

/** From a request to the arrival of its event at the last of many endpoints. */
export async function fanOut(arrivals: Arrivals) {
  const service = await SendingService.start(arrivals.url);
  try {
    for (let i = 1; i < ENDPOINTS; i++) await service.endpoint(arrivals.url);
    const times: number[] = [];
    for (let i = 0; i < FAN_OUTS; i++) times.push(await fannedOut(service, arrivals));
    const measured = times.slice(WARMING_FAN_OUTS);
    return { endpoints: ENDPOINTS, events: measured.length, p50_ms: rounded(median(measured)), worst_ms: rounded(Math.max(...measured)) };
  } finally {
    await service.end();
  }
}

async function fannedOut(service: SendingService, arrivals: Arrivals): Promise<number> {
  await arrivals.forget();
  const began = now();
  await service.occur();
  const last = (await arrivals.first(ENDPOINTS)).at(-1)!;
  await delay(200);
  return last.at - began;
}

/** At its time each, whatever has become of the ones before. @returns when each was asked for, by what it made */
async function askSteadily(service: SendingService): Promise<Map<string, number>> {
  const began = now();
  const asked: Promise<[string, number]>[] = [];
  for (let i = 0; i < EVENTS_PER_SECOND * SECONDS; i++) {
    const due = began + (i * 1_000) / EVENTS_PER_SECOND;
    if (due > now()) await delay(due - now());
    const at = now();
    asked.push(service.occur().then((id) => [id, at]));
  }
  return new Map(await Promise.all(asked));
}

function arrivalsById(arrived: readonly Arrival[]): Map<string, number> {
  return new Map(arrived.map(({ at, body }) => [(JSON.parse(body!) as { data: { id: string } }).data.id, at]));
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
