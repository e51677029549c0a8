import { type ApiResponse, requireData } from '../support/api.js';
import type { ReplayFixture } from './replay-fixture.js';
import { PUBLISHED_TYPE } from './webhook-fixture.js';

/** A time before the first event of every log. */
export const BEGINNING = '2020-01-01';

/** Creates a job that sends the events of the past that were never planned for the endpoint. */
export async function createBackfill(
  fixture: ReplayFixture,
  endpointId: string,
  body: object = {},
): Promise<ApiResponse['body']> {
  const window = { created_from: BEGINNING, scope: 'never_planned', endpoint_id: endpointId };
  return requireData(await fixture.post({ ...window, ...body }));
}

/** Lists the ids of the public events of a type, oldest first. */
export async function listEventIds(fixture: ReplayFixture, type = PUBLISHED_TYPE): Promise<readonly string[]> {
  const events = requireData(await fixture.webhooks.api.get(`/v1/webhooks/events?event_type=${type}&limit=100`));
  return events.map(({ id }: { id: string }) => id).reverse();
}

/** Returns the ids of the events that the receiver got at the path, in order of arrival. */
export function readEventIds(fixture: ReplayFixture, path: string): readonly string[] {
  return fixture.receiver.requestsFor(path).map(({ headers }) => headers['x-service-event-id'] as string);
}
