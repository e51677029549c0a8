import type { Arrivals } from '../deliveries/arrivals.ts';
import type { Drain } from '../deliveries/drain.ts';
import { IN_FLIGHT } from '../deliveries/measured-service.ts';
import { rateOf } from '../deliveries/rate.ts';
import type { Sample } from '../deliveries/sample.ts';
import { BullMq } from './peer.ts';
import type { Flush } from './redis.ts';

const WARMING = 2_000;

/** Deliveries of a running worker that all at once has so many events to tell one endpoint of. */
export async function drainedByBullMq(arrivals: Arrivals, count: number, sample: Sample, flush: Flush): Promise<Drain> {
  const peer = await BullMq.start({ flush, concurrency: IN_FLIGHT });
  const tell = async (events: number) => {
    await arrivals.forget();
    await peer.fill(arrivals.url, events, sample);
    return arrivals.first(events);
  };
  try {
    await tell(WARMING);
    await peer.cpuMicros();
    const arrived = await tell(count);
    return { perSecond: rateOf(arrived), cpuMicros: (await peer.cpuMicros()) / count };
  } finally {
    await peer.end();
  }
}
