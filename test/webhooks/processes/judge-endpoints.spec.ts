import { status } from '../../support/answers.js';
import { Desk, OCCURRENCE, eventually } from '../desk.js';
import { failedBefore } from '../past.js';
import { Schemas } from '../schemas.js';

const DAY_HOURS = 24;
const NOTICES = ['webhook.endpoint.warning', 'webhook.endpoint.disabled'];

describe('An endpoint that has failed for days', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open({ WEBHOOK_RETRY_SCHEDULE: '3600', WEBHOOK_BREAKER_WAITS: '0.1' });
    await desk.endpoint('/notices', { event_types: NOTICES });
  });
  afterAll(() => desk.close());

  const shown = async (id: string) => (await desk.api.get(`/v1/webhooks/endpoints/${id}`)).body.data;

  /** Creates an endpoint that has failed before and fails again. */
  async function failing(path: string, ...before: readonly { hours: number; times: number }[]): Promise<string> {
    desk.receiver.answers(path, status(500));
    const { id } = await desk.endpoint(path, { event_types: [OCCURRENCE] });
    for (const failures of before) await failedBefore(desk, id, failures);
    await desk.occur();
    return id;
  }

  async function noticed(type: string, endpointId: string) {
    const told = () => desk.receiver.at('/notices').map(({ body }) => JSON.parse(body));
    const isIt = (envelope: { type: string; data: { id: string } }) => envelope.type === type && envelope.data.id === endpointId;
    await desk.receiver.until(() => told().some(isIt), `${type} of ${endpointId}`);
    const event = told().find(isIt);
    expect(await new Schemas(desk.api).faultsOf(type, event.data)).toEqual([]);
    return event;
  }

  it('is disabled, and its owner is notified', async () => {
    const id = await failing('/hopeless', { hours: 5 * DAY_HOURS + 1, times: 20 });
    const { data } = await noticed('webhook.endpoint.disabled', id);
    expect(data).toMatchObject({
      status: 'disabled',
      disabled_reason: 'failing',
      last_success_at: null,
      last_failure_at: expect.any(String),
    });
    expect(await shown(id)).toEqual(data);
    await desk.records(`endpoint_id=${id}&status=abandoned`, ({ length }) => length === 1);
  });

  it('causes one warning and stays enabled', async () => {
    const id = await failing('/hopeful', { hours: 3 * DAY_HOURS + 1, times: 5 });
    const { data } = await noticed('webhook.endpoint.warning', id);
    expect(data).toMatchObject({ id, status: 'enabled', warning: { reason: 'failing', days: 3, failures: 6, since: expect.any(String) } });
    await desk.occur();
    await desk.records(`endpoint_id=${id}&test=false`, (records) => records.filter(({ event_id }) => event_id !== 'evt_1').length === 2);
    expect(desk.receiver.at('/notices').filter(({ body }) => JSON.parse(body).data.id === id)).toHaveLength(1);
  });

  it('starts without failures when it is enabled again', async () => {
    const id = await failing('/again', { hours: 5 * DAY_HOURS + 1, times: 20 });
    await noticed('webhook.endpoint.disabled', id);
    await desk.edit(id, { status: 'enabled' });
    await desk.occur();
    await eventually(async () => ((await desk.list(`endpoint_id=${id}&status=failed`)).body.data.some(isNew) ? true : null));
    expect(await shown(id)).toMatchObject({ status: 'enabled' });
  });

  it('causes a warning when its receiver has missed a rotation', async () => {
    desk.receiver.answers('/rotated', status(401));
    const { id } = await desk.endpoint('/rotated', { event_types: [OCCURRENCE] });
    await desk.rotate(id);
    for (let i = 0; i < 5; i++) await desk.occur();
    const { data } = await noticed('webhook.endpoint.warning', id);
    expect(data.warning).toMatchObject({ reason: 'refused_after_rotation', days: null, since: data.secret_rotated_at });
  });

  it('causes no notice when its owner disables it', async () => {
    const { id } = await desk.endpoint('/by-hand', { event_types: [OCCURRENCE] });
    await desk.edit(id, { status: 'disabled' });
    await failing('/witness', { hours: 5 * DAY_HOURS + 1, times: 20 }).then((witness) => noticed('webhook.endpoint.disabled', witness));
    expect(desk.receiver.at('/notices').filter(({ body }) => JSON.parse(body).data.id === id)).toEqual([]);
  });
});

function isNew({ event_id }: { event_id: string }): boolean {
  return event_id !== 'evt_1';
}
