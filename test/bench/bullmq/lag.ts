import { type Arrivals, READ_PATH } from '../deliveries/arrivals.ts';
import { ENDPOINTS, measurePublishFanOut, measurePublishLag } from '../deliveries/lag.ts';
import { IN_FLIGHT } from '../deliveries/measured-service.ts';
import type { Sample } from '../deliveries/sample.ts';
import { BullMq } from './bullmq.ts';

const BULLMQ_SETTINGS = { flush: 'always', concurrency: IN_FLIGHT } as const;

/** Measures the time from the call that adds an event to its arrival. */
export async function measureBullMqLag(arrivals: Arrivals, sample: Sample) {
  const peer = await BullMq.start(BULLMQ_SETTINGS);
  try {
    return await measurePublishLag(() => peer.publish(arrivals.url + READ_PATH, sample), arrivals);
  } finally {
    await peer.stop();
  }
}

/** Measures the time from the call that adds an event for many endpoints to the last arrival. */
export async function measureBullMqFanOut(arrivals: Arrivals, sample: Sample) {
  const peer = await BullMq.start(BULLMQ_SETTINGS);
  const urls = Array.from({ length: ENDPOINTS }, () => arrivals.url);
  try {
    return await measurePublishFanOut(() => peer.publishToAll(urls, sample), arrivals);
  } finally {
    await peer.stop();
  }
}
