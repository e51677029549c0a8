import { type Arrivals, READ_PATH } from '../deliveries/arrivals.ts';
import { IN_FLIGHT } from '../deliveries/measured-service.ts';
import type { Sample } from '../deliveries/sample.ts';
import type { KillableSender } from '../trials/killed-drain.ts';
import { BullMq } from './bullmq.ts';

const WARMING = 500;

/** Starts a warm worker. Its Redis server survives a kill of the worker. */
export async function startKillableBullMq(arrivals: Arrivals, sample: Sample): Promise<KillableSender> {
  const peer = await BullMq.start({ flush: 'always', concurrency: IN_FLIGHT });
  const fill = (count: number) => peer.fill(arrivals.url + READ_PATH, count, sample);
  await arrivals.forget();
  await fill(WARMING);
  await arrivals.waitForFirst(WARMING);
  return { fill, kill9: () => peer.kill9(), restart: () => peer.restart(), stop: () => peer.stop() };
}
