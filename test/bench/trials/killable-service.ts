import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Arrivals, READ_PATH } from '../deliveries/arrivals.ts';
import { recordPublicEvents } from '../deliveries/backlog.ts';
import { MeasuredService, UNLIMITED } from '../deliveries/measured-service.ts';
import type { Sample } from '../deliveries/sample.ts';
import type { KillableSender } from './killed-drain.ts';

const WARMING = 500;

/** Starts a warm service with one endpoint. */
export async function startKillableService(arrivals: Arrivals, { data }: Sample): Promise<KillableSender> {
  const service = await MeasuredService.start(UNLIMITED);
  await service.createEndpoint(arrivals.url + READ_PATH);
  const businessId = await service.readBusinessId();
  const fill = (count: number) => recordPublicEvents(service.dataDir, businessId, count, data);
  await arrivals.forget();
  await fill(WARMING);
  await arrivals.waitForFirst(WARMING);
  return {
    fill,
    kill9: () => service.kill9(),
    restart: () => service.restart(),
    stop: () => service.dispose(),
    countLost: () => countLost(service.dataDir),
  };
}

function countLost(dataDir: string): number {
  const db = new DatabaseSync(join(dataDir, 'store.sqlite'), { readOnly: true });
  const { lost } = db.prepare(`select count(*) as lost from events where type = 'AttemptLost'`).get() as {
    lost: number;
  };
  db.close();
  return lost;
}
