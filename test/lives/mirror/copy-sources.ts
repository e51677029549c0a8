import { requireData } from '../../support/api.js';
import { EventReader } from '../../support/event-reader.js';
import type { PublicEvent } from '../known-states.js';
import { EVERY_NOUN } from '../receiver.js';
import type { World } from '../world/world.js';

const LIMIT = 100;

/** Reads all events from the event stream, as a client does that was away for two years. */
export async function readStream({ api, service: { service, key } }: World): Promise<readonly string[]> {
  const { oldest, count } = await findOldest(api);
  const types = EVERY_NOUN.map((type) => `event_type=${type}`).join('&');
  const address = `${service.url}/v1/webhooks/events/stream?${types}`;
  const headers = { authorization: `Bearer ${key}`, 'last-event-id': oldest.id };
  const reader = await EventReader.open(address, headers);
  const messages = await reader.waitFor(count - 1);
  await reader.cut();
  const first = requireData(await api.get(`/v1/webhooks/events/${oldest.id}`));
  return [first, ...messages.map(({ data }) => data as unknown)].map((event) => JSON.stringify(event));
}

async function findOldest(api: World['api']): Promise<{ oldest: PublicEvent; count: number }> {
  let oldest: PublicEvent | null = null;
  let count = 0;
  for (let after: string | null = ''; after !== null;) {
    const cursor: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const { body } = await api.get(`/v1/webhooks/events?limit=${LIMIT}${cursor}`);
    const events = body.data as readonly PublicEvent[];
    oldest = events.at(-1) ?? oldest;
    count += events.length;
    after = body.pagination.next_cursor;
  }
  return { oldest: oldest!, count };
}
