import { READ_PATH, type Arrivals } from '../deliveries/arrivals.ts';
import { ENDPOINTS, fanOutBehind, lagBehind } from '../deliveries/lag.ts';
import { IN_FLIGHT } from '../deliveries/measured-service.ts';
import type { Sample } from '../deliveries/sample.ts';
import { BullMq } from './peer.ts';

const SETTING = { flush: 'always', concurrency: IN_FLIGHT } as const;

/** Measures the time from the call that adds an event to its arrival. */
export async function lagOfBullMq(arrivals: Arrivals, sample: Sample) {
  const peer = await BullMq.start(SETTING);
  try {
    return await lagBehind(() => peer.tell(arrivals.url + READ_PATH, sample), arrivals);
  } finally {
    await peer.end();
  }
}

/** Measures the time from the call that adds an event for many endpoints to the last arrival. */
export async function fanOutOfBullMq(arrivals: Arrivals, sample: Sample) {
  const peer = await BullMq.start(SETTING);
  const urls = Array.from({ length: ENDPOINTS }, () => arrivals.url);
  try {
    return await fanOutBehind(() => peer.tellAll(urls, sample), arrivals);
  } finally {
    await peer.end();
  }
}
