import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { READ_PATH, type Arrivals } from '../deliveries/arrivals.ts';
import { recordPublicEvents } from '../deliveries/backlog.ts';
import { MeasuredService, UNLIMITED } from '../deliveries/measured-service.ts';
import type { Sample } from '../deliveries/sample.ts';
import type { Mortal } from './killed-drain.ts';

const WARMING = 500;

/** Starts a warm service with one endpoint. */
export async function beginMortalService(arrivals: Arrivals, { data }: Sample): Promise<Mortal> {
  const service = await MeasuredService.start(UNLIMITED);
  await service.endpoint(arrivals.url + READ_PATH);
  const businessId = await service.businessId();
  const fill = (count: number) => recordPublicEvents(service.dataDir, businessId, count, data);
  await arrivals.forget();
  await fill(WARMING);
  await arrivals.first(WARMING);
  return {
    fill,
    kill9: () => service.kill9(),
    restart: () => service.restart(),
    end: () => service.end(),
    recordedAsLost: () => lostIn(service.dataDir),
  };
}

function lostIn(dataDir: string): number {
  const db = new DatabaseSync(join(dataDir, 'store.sqlite'), { readOnly: true });
  const { lost } = db.prepare(`select count(*) as lost from events where type = 'AttemptLost'`).get() as { lost: number };
  db.close();
  return lost;
}
