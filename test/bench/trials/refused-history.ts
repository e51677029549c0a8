import { setTimeout as delay } from 'node:timers/promises';
import { requireData } from '../../support/api.ts';
import { Receiver } from '../../support/receiver.ts';
import { respondWith } from '../../support/receiver-responses.ts';
import type { MeasuredService } from '../deliveries/measured-service.ts';

const REFUSING = '/refusing';
const POLL_MS = 500;
const TIMEOUT_MS = 120_000;

export interface RejectedHistory {
  readonly endpointIds: readonly string[];
  /** The body of a replay job for all deliveries. */
  readonly window: { readonly created_from: string };
}

/** Creates endpoints that have each rejected a number of events. */
export async function createRejectedHistory(
  service: MeasuredService,
  endpoints: number,
  events: number,
): Promise<RejectedHistory> {
  const refusing = await Receiver.start();
  refusing.setResponses(REFUSING, respondWith(400));
  const window = { created_from: new Date().toISOString() };
  const endpointIds: string[] = [];
  for (let i = 0; i < endpoints; i++) endpointIds.push(await service.createEndpoint(refusing.url(REFUSING)));
  for (let i = 0; i < events; i++) await service.causeEvent();
  for (
    const end = Date.now() + TIMEOUT_MS;
    (await countMatched(service, window)) < endpoints * events;
    await delay(POLL_MS)
  ) {
    if (Date.now() > end) throw new Error('The rejected deliveries were not recorded in time.');
  }
  await refusing.stop();
  return { endpointIds, window };
}

async function countMatched(service: MeasuredService, window: object): Promise<number> {
  return requireData(await service.createApi().post('/v1/webhooks/replay-jobs', { ...window, dry_run: true })).matched;
}
