import type { Arrivals } from '../deliveries/arrivals.ts';
import type { Drain } from '../deliveries/drain.ts';
import { IN_FLIGHT } from '../deliveries/measured-service.ts';
import { computeRate } from '../deliveries/rate.ts';
import type { Sample } from '../deliveries/sample.ts';
import { BullMq } from './bullmq.ts';
import type { Flush } from './redis.ts';

const WARMING = 2_000;

/** Measures a running worker that delivers `count` events, enqueued at once, to one endpoint. */
export async function drainBullMq(arrivals: Arrivals, count: number, sample: Sample, flush: Flush): Promise<Drain> {
  const peer = await BullMq.start({ flush, concurrency: IN_FLIGHT });
  const publish = async (events: number) => {
    await arrivals.forget();
    await peer.fill(arrivals.url, events, sample);
    return arrivals.waitForFirst(events);
  };
  try {
    await publish(WARMING);
    await peer.takeCpuMicros();
    const arrived = await publish(count);
    return { perSecond: computeRate(arrived), cpuMicros: (await peer.takeCpuMicros()) / count };
  } finally {
    await peer.stop();
  }
}
