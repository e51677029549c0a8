import { Views } from '../../../src/engine/reading/views.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { endpointActivity } from '../../../src/webhooks/projections/endpoint-activity.js';
import { status } from '../../support/answers.js';
import { Desk, OCCURRENCE, eventually } from '../desk.js';
import { failedBefore } from '../past.js';

const WAIT_SECONDS = 1;
const SETTINGS = { WEBHOOK_RETRY_SCHEDULE: '3600', WEBHOOK_BREAKER_WAITS: String(WAIT_SECONDS) };

describe('An endpoint that has failed ten times in a row', () => {
  let desk: Desk;
  beforeAll(async () => void (desk = await Desk.open(SETTINGS)));
  afterAll(() => desk.close());

  /** What occurred just before it was created may come to it too. */
  async function tripped(path: string): Promise<string> {
    desk.receiver.answers(path, status(500));
    const { id } = await desk.endpoint(path, { event_types: [OCCURRENCE] });
    for (let i = 0; i < 10; i++) await desk.occur();
    await desk.records(`endpoint_id=${id}`, ({ length }) => length >= 10);
    return id;
  }

  it('is left alone for a while, then one attempt goes through, and with its success all that have waited', async () => {
    const id = await tripped('/tripped');
    const [trippedAt, failed] = [Date.now(), desk.receiver.at('/tripped').length];
    for (let i = 0; i < 3; i++) await desk.occur();
    desk.receiver.answers('/tripped', status(200));
    const records = await desk.records(`endpoint_id=${id}&status=success`, ({ length }) => length === 3);
    expect(records.map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
    const probe = desk.receiver.at('/tripped')[failed];
    expect(probe!.receivedAt - trippedAt).toBeGreaterThanOrEqual(WAIT_SECONDS * 1_000 - 200);
  });

  it('says since when it makes others wait', async () => {
    const id = await tripped('/waiting');
    await desk.occur();
    const { oldest_waiting_at } = await eventually(async () => {
      const { data } = (await desk.api.get(`/v1/webhooks/endpoints/${id}/stats`)).body;
      return data.oldest_waiting_at === null ? null : data;
    });
    expect(Date.now() - Date.parse(oldest_waiting_at)).toBeLessThan(60_000);
  });

  it('misses what waits when it is disabled', async () => {
    const id = await tripped('/given-up');
    const failed = desk.receiver.at('/given-up').length;
    const oldest = async () => (await desk.api.get(`/v1/webhooks/endpoints/${id}/stats`)).body.data.oldest_waiting_at;
    for (let i = 0; i < 3; i++) await desk.occur();
    await eventually(oldest);
    await desk.edit(id, { status: 'disabled' });
    await eventually(async () => ((await oldest()) === null ? true : null));
    expect(desk.receiver.at('/given-up')).toHaveLength(failed);
  });

  it('is still tested and replayed to', async () => {
    const id = await tripped('/tested');
    expect((await desk.test(id)).status).toBe(201);
    const [{ id: deliveryId }] = (await desk.list(`endpoint_id=${id}&test=false`)).body.data;
    expect((await desk.replay(deliveryId)).body.data).toMatchObject({ attempt: 2 });
  });
});

describe('An endpoint whose failures another process has seen', () => {
  it('is left alone too, once that was looked up', async () => {
    const desk = await Desk.open({ ...SETTINGS, WEBHOOK_BREAKER_WAITS: '600' });
    desk.receiver.answers('/elsewhere', status(500));
    const { id } = await desk.endpoint('/elsewhere', { event_types: [OCCURRENCE] });
    await failedBefore(desk, id, { hours: 0, times: 10 });
    await desk.service.get(Views).mustReach(endpointActivity, await desk.service.get(EventStore).head());
    const occurred = await eventually(async () => {
      await desk.occur();
      const { data } = (await desk.api.get('/v1/webhooks/events?limit=100')).body;
      return data.length > desk.receiver.at('/elsewhere').length + 1 ? data.length : null;
    });
    expect(desk.receiver.at('/elsewhere').length).toBeLessThan(10);
    expect(occurred).toBeLessThan(20);
    await desk.close();
  });
});
