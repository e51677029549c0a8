import { setTimeout as delay } from 'node:timers/promises';
import { median, rounded } from '../numbers.ts';
import { READ_PATH, type Arrivals } from './arrivals.ts';
import { arrivedFirst } from './arrived.ts';
import { lagsOf } from './lags.ts';
import { MeasuredService, UNLIMITED } from './measured-service.ts';
import { askSteadily, now } from './steadily.ts';

const EVENTS_PER_SECOND = 200;
const SECONDS = 8;
const WARMING_SECONDS = 3;
const FAN_OUTS = 12;
const WARMING_FAN_OUTS = 4;
const REST_MS = 200;

export const ENDPOINTS = 100;

/** Measures the time from the request that causes an event to its arrival. */
export async function lag(arrivals: Arrivals) {
  const service = await MeasuredService.start(UNLIMITED);
  try {
    await service.endpoint(arrivals.url + READ_PATH);
    return await lagBehind(() => service.occur(), arrivals);
  } finally {
    await service.end();
  }
}

/** Measures the time from a request to the arrival of its event at the last of many endpoints. */
export async function fanOut(arrivals: Arrivals) {
  const service = await MeasuredService.start(UNLIMITED);
  try {
    for (let i = 0; i < ENDPOINTS; i++) await service.endpoint(arrivals.url);
    return await fanOutBehind(() => service.occur(), arrivals);
  } finally {
    await service.end();
  }
}

/** @param tell publishes one event to one endpoint and returns the id in its data */
export async function lagBehind(tell: () => Promise<string>, arrivals: Arrivals) {
  await arrivals.forget();
  const asked = await askSteadily({ perSecond: EVENTS_PER_SECOND, seconds: SECONDS }, tell);
  const arrived = await arrivedFirst(arrivals, asked.size);
  const lags = [...asked].slice(WARMING_SECONDS * EVENTS_PER_SECOND).map(([id, at]) => arrived.get(id)! - at);
  return { events_per_second: EVENTS_PER_SECOND, events: lags.length, ...lagsOf(lags) };
}

/** @param tell publishes one event to all endpoints */
export async function fanOutBehind(tell: () => Promise<unknown>, arrivals: Arrivals) {
  const times: number[] = [];
  for (let i = 0; i < FAN_OUTS; i++) {
    await arrivals.forget();
    const began = now();
    await tell();
    times.push((await arrivals.first(ENDPOINTS)).at(-1)!.at - began);
    await delay(REST_MS);
  }
  const measured = times.slice(WARMING_FAN_OUTS);
  return { endpoints: ENDPOINTS, events: measured.length, p50_ms: rounded(median(measured)), worst_ms: rounded(Math.max(...measured)) };
}
