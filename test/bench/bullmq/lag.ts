import { setTimeout as delay } from 'node:timers/promises';
import { READ_PATH, type Arrivals } from '../deliveries/arrivals.ts';
import type { Sample } from '../deliveries/drain.ts';
import { IN_FLIGHT } from '../deliveries/sender.ts';
import { median, rounded } from '../numbers.ts';
import { arrivedFirst } from '../webhooks/arrived.ts';
import { lagsOf } from '../webhooks/lags.ts';
import { askSteadily, now } from '../webhooks/steadily.ts';
import { BullMq } from './peer.ts';

const EVENTS_PER_SECOND = 200;
const SECONDS = 8;
const WARMING_SECONDS = 3;
const ENDPOINTS = 100;
const FAN_OUTS = 12;
const WARMING_FAN_OUTS = 4;
const SETTING = { flush: 'always', concurrency: IN_FLIGHT } as const;

/** From the call that adds an event to its arrival. */
export async function lagOfBullMq(arrivals: Arrivals, sample: Sample) {
  const peer = await BullMq.start(SETTING);
  try {
    await arrivals.forget();
    const pace = { perSecond: EVENTS_PER_SECOND, seconds: SECONDS };
    const asked = await askSteadily(pace, () => peer.tell(arrivals.url + READ_PATH, sample));
    const arrived = await arrivedFirst(arrivals, asked.size);
    const lags = [...asked].slice(WARMING_SECONDS * EVENTS_PER_SECOND).map(([id, at]) => arrived.get(id)! - at);
    return lagsOf(lags);
  } finally {
    await peer.end();
  }
}

/** From the call that adds an event for each of many endpoints to the last arrival. */
export async function fanOutOfBullMq(arrivals: Arrivals, sample: Sample) {
  const peer = await BullMq.start(SETTING);
  const urls = Array.from({ length: ENDPOINTS }, () => arrivals.url);
  try {
    const times: number[] = [];
    for (let i = 0; i < FAN_OUTS; i++) {
      await arrivals.forget();
      const began = now();
      await peer.tellAll(urls, sample);
      times.push((await arrivals.first(ENDPOINTS)).at(-1)!.at - began);
      await delay(200);
    }
    const measured = times.slice(WARMING_FAN_OUTS);
    return { endpoints: ENDPOINTS, p50_ms: rounded(median(measured)), worst_ms: rounded(Math.max(...measured)) };
  } finally {
    await peer.end();
  }
}
