import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { READ_PATH, type Arrivals } from '../deliveries/arrivals.ts';
import { recordPublicEvents } from '../deliveries/backlog.ts';
import type { Sample } from '../deliveries/drain.ts';
import { IN_FLIGHT } from '../deliveries/sender.ts';
import type { Mortal } from './killed-drain.ts';
import { LastingService } from './lasting-service.ts';

const WARMING = 500;
const ENVIRONMENT = { WEBHOOK_ENDPOINT_CONCURRENCY: String(IN_FLIGHT), WEBHOOK_ENDPOINT_RATE: '10000' };

/** The service with one endpoint, warm. */
export async function beginMortalService(arrivals: Arrivals, { data }: Sample): Promise<Mortal> {
  const service = await LastingService.start(ENVIRONMENT);
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
