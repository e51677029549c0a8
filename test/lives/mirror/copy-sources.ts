import { toIso } from '../../../src/kernel/clock.js';
import { requireData } from '../../support/api.js';
import { EventReader } from '../../support/event-reader.js';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/receiver.js';
import { EVERY_NOUN } from '../receiver.js';
import { START } from '../world/clocked-service.js';
import type { World } from '../world/world.js';

const PATH = '/backfill';

/** Reads all events from the event stream, from the first one on. */
export async function readStream({ service: { service, key } }: World, count: number): Promise<readonly string[]> {
  const types = EVERY_NOUN.map((type) => `event_type=${type}`).join('&');
  const address = `${service.url}/v1/webhooks/events/stream?after=start&${types}`;
  const reader = await EventReader.open(address, { authorization: `Bearer ${key}` });
  const messages = await reader.waitFor(count);
  await reader.cut();
  return messages.map(({ data }) => JSON.stringify(data));
}

/** Gets all events with a replay job for an endpoint that was made last. */
export async function receiveBackfill(world: World): Promise<readonly string[]> {
  const { api, service } = world;
  const receiver = await Receiver.start();
  try {
    const body = { url: receiver.url(PATH), event_types: EVERY_NOUN };
    const { id } = requireData(await api.post('/v1/webhooks/endpoints', body));
    const job = { scope: 'never_planned', created_from: START, endpoint_id: id };
    const { id: jobId } = requireData(
      await api.post('/v1/webhooks/replay-jobs', job, { 'idempotency-key': 'a backfill' }),
    );
    // Attempts of a backfill are due one after another.
    let now = Date.parse(world.model.now);
    const read = async () => {
      await service.advanceTo(toIso((now += 1_000)));
      return requireData(await api.get(`/v1/webhooks/replay-jobs/${jobId}`));
    };
    await eventually(read, ({ status }) => status === 'completed');
    return receiver.requestsFor(PATH).map(({ body: text }) => text);
  } finally {
    await receiver.stop();
  }
}
