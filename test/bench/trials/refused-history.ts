import { setTimeout as delay } from 'node:timers/promises';
import { status } from '../../support/answers.ts';
import { dataOf } from '../../support/api.ts';
import { Receiver } from '../../support/receiver.ts';
import type { MeasuredService } from '../deliveries/measured-service.ts';

const REFUSING = '/refusing';
const LOOK_AGAIN_MS = 500;
const PATIENCE_MS = 120_000;

export interface RefusedHistory {
  readonly endpointIds: readonly string[];
  /** The body of a replay job for all deliveries. */
  readonly window: { readonly created_from: string };
}

/** Creates endpoints that have each rejected a number of events. */
export async function refusedHistory(service: MeasuredService, endpoints: number, events: number): Promise<RefusedHistory> {
  const refusing = await Receiver.start();
  refusing.answers(REFUSING, status(400));
  const window = { created_from: new Date().toISOString() };
  const endpointIds: string[] = [];
  for (let i = 0; i < endpoints; i++) endpointIds.push(await service.endpoint(refusing.url(REFUSING)));
  for (let i = 0; i < events; i++) await service.occur();
  for (const end = Date.now() + PATIENCE_MS; (await matched(service, window)) < endpoints * events; await delay(LOOK_AGAIN_MS)) {
    if (Date.now() > end) throw new Error('The rejected deliveries were not recorded in time.');
  }
  await refusing.stop();
  return { endpointIds, window };
}

async function matched(service: MeasuredService, window: object): Promise<number> {
  return dataOf(await service.api().post('/v1/webhooks/replay-jobs', { ...window, dry_run: true })).matched;
}
