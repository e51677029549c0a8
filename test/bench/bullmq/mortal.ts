import { READ_PATH, type Arrivals } from '../deliveries/arrivals.ts';
import { IN_FLIGHT } from '../deliveries/measured-service.ts';
import type { Sample } from '../deliveries/sample.ts';
import type { Mortal } from '../trials/killed-drain.ts';
import { BullMq } from './peer.ts';

const WARMING = 500;

/** Starts a warm worker. Its Redis server survives a kill of the worker. */
export async function beginMortalBullMq(arrivals: Arrivals, sample: Sample): Promise<Mortal> {
  const peer = await BullMq.start({ flush: 'always', concurrency: IN_FLIGHT });
  const fill = (count: number) => peer.fill(arrivals.url + READ_PATH, count, sample);
  await arrivals.forget();
  await fill(WARMING);
  await arrivals.first(WARMING);
  return { fill, kill9: () => peer.kill9(), restart: () => peer.restart(), end: () => peer.end() };
}
