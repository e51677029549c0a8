import { setTimeout as delay } from 'node:timers/promises';
import { computeMedian, round } from '../numbers.ts';
import { type Arrivals, READ_PATH } from './arrivals.ts';
import { findFirstArrivals } from './first-arrivals.ts';
import { toPercentiles } from './lag-percentiles.ts';
import { MeasuredService, UNLIMITED } from './measured-service.ts';
import { getTime, requestSteadily } from './steady-requests.ts';

const EVENTS_PER_SECOND = 200;
const SECONDS = 8;
const WARMING_SECONDS = 3;
const FAN_OUTS = 12;
const WARMING_FAN_OUTS = 4;
const IDLE_MS = 200;

export const ENDPOINTS = 100;

/** Measures the time from the request that causes an event to its arrival. */
export async function measureLag(arrivals: Arrivals) {
  const service = await MeasuredService.start(UNLIMITED);
  try {
    await service.createEndpoint(arrivals.url + READ_PATH);
    return await measurePublishLag(() => service.causeEvent(), arrivals);
  } finally {
    await service.dispose();
  }
}

/** Measures the time from a request to the arrival of its event at the last of many endpoints. */
export async function measureFanOut(arrivals: Arrivals) {
  const service = await MeasuredService.start(UNLIMITED);
  try {
    for (let i = 0; i < ENDPOINTS; i++) await service.createEndpoint(arrivals.url);
    return await measurePublishFanOut(() => service.causeEvent(), arrivals);
  } finally {
    await service.dispose();
  }
}

/** @param publish publishes one event to one endpoint and returns the id in its data */
export async function measurePublishLag(publish: () => Promise<string>, arrivals: Arrivals) {
  await arrivals.forget();
  const asked = await requestSteadily({ perSecond: EVENTS_PER_SECOND, seconds: SECONDS }, publish);
  const arrived = await findFirstArrivals(arrivals, asked.size);
  const lags = [...asked].slice(WARMING_SECONDS * EVENTS_PER_SECOND).map(([id, at]) => arrived.get(id)! - at);
  return { events_per_second: EVENTS_PER_SECOND, events: lags.length, ...toPercentiles(lags) };
}

/** @param publish publishes one event to all endpoints */
export async function measurePublishFanOut(publish: () => Promise<unknown>, arrivals: Arrivals) {
  const times: number[] = [];
  for (let i = 0; i < FAN_OUTS; i++) {
    await arrivals.forget();
    const began = getTime();
    await publish();
    times.push((await arrivals.waitForFirst(ENDPOINTS)).at(-1)!.at - began);
    await delay(IDLE_MS);
  }
  const measured = times.slice(WARMING_FAN_OUTS);
  return {
    endpoints: ENDPOINTS,
    events: measured.length,
    p50_ms: round(computeMedian(measured)),
    worst_ms: round(Math.max(...measured)),
  };
}
