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

  /** Creates an endpoint and trips its breaker. Events from just before its creation may count too. */
  async function tripped(path: string): Promise<string> {
    desk.receiver.answers(path, status(500));
    const { id } = await desk.endpoint(path, { event_types: [OCCURRENCE] });
    for (let i = 0; i < 10; i++) await desk.occur();
    await desk.records(`endpoint_id=${id}`, ({ length }) => length >= 10);
    return id;
  }

  it('gets one attempt after a pause, and all waiting attempts after the success of that one', async () => {
    const id = await tripped('/tripped');
    const [trippedAt, failed] = [Date.now(), desk.receiver.at('/tripped').length];
    for (let i = 0; i < 3; i++) await desk.occur();
    desk.receiver.answers('/tripped', status(200));
    const records = await desk.records(`endpoint_id=${id}&status=success`, ({ length }) => length === 3);
    expect(records.map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
    const probe = desk.receiver.at('/tripped')[failed];
    expect(probe!.receivedAt - trippedAt).toBeGreaterThanOrEqual(WAIT_SECONDS * 1_000 - 200);
  });

  it('reports since when attempts wait', async () => {
    const id = await tripped('/waiting');
    await desk.occur();
    const { oldest_waiting_at } = await eventually(async () => {
      const { data } = (await desk.api.get(`/v1/webhooks/endpoints/${id}/stats`)).body;
      return data.oldest_waiting_at === null ? null : data;
    });
    expect(Date.now() - Date.parse(oldest_waiting_at)).toBeLessThan(60_000);
  });

  it('misses the waiting attempts when it is disabled', async () => {
    const id = await tripped('/given-up');
    const failed = desk.receiver.at('/given-up').length;
    const oldest = async () => (await desk.api.get(`/v1/webhooks/endpoints/${id}/stats`)).body.data.oldest_waiting_at;
    for (let i = 0; i < 3; i++) await desk.occur();
    await eventually(oldest);
    await desk.edit(id, { status: 'disabled' });
    await eventually(async () => ((await oldest()) === null ? true : null));
    expect(desk.receiver.at('/given-up')).toHaveLength(failed);
  });

  it('still gets tests and replays', async () => {
    const id = await tripped('/tested');
    expect((await desk.test(id)).status).toBe(201);
    const [{ id: deliveryId }] = (await desk.list(`endpoint_id=${id}&test=false`)).body.data;
    expect((await desk.replay(deliveryId)).body.data).toMatchObject({ attempt: 2 });
  });
});

describe('An endpoint whose attempts failed in another process', () => {
  it('stops getting attempts after the circuit breaker has read these failures', async () => {
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
