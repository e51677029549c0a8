import { respondWith } from '../../support/receiver-responses.js';
import { EventDataSchemas } from '../event-schemas.js';
import { seedFailures } from '../seed-failures.js';
import { PUBLISHED_TYPE, waitFor, WebhookFixture } from '../webhook-fixture.js';

const DAY_HOURS = 24;
const NOTICES = ['webhook.endpoint.warning', 'webhook.endpoint.disabled'];

describe('An endpoint that has failed for days', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => {
    fixture = await WebhookFixture.start({ WEBHOOK_RETRY_SCHEDULE: '3600', WEBHOOK_BREAKER_WAITS: '0.1' });
    await fixture.createEndpoint('/notices', { event_types: NOTICES });
  });
  afterAll(() => fixture.close());

  const retrieve = async (id: string) => (await fixture.api.get(`/v1/webhooks/endpoints/${id}`)).body.data;

  /** Creates an endpoint that has failed before and fails again. */
  async function createFailing(path: string, ...before: readonly { hours: number; times: number }[]): Promise<string> {
    fixture.receiver.setResponses(path, respondWith(500));
    const { id } = await fixture.createEndpoint(path, { event_types: [PUBLISHED_TYPE] });
    for (const failures of before) await seedFailures(fixture, id, failures);
    await fixture.publish();
    return id;
  }

  async function waitForNotice(type: string, endpointId: string) {
    const notices = () => fixture.receiver.requestsFor('/notices').map(({ body }) => JSON.parse(body));
    const isExpected = (envelope: { type: string; data: { id: string } }) =>
      envelope.type === type && envelope.data.id === endpointId;
    await fixture.receiver.waitUntil(() => notices().some(isExpected), `${type} of ${endpointId}`);
    const event = notices().find(isExpected);
    expect(await new EventDataSchemas(fixture.api).findErrors(type, event.data)).toEqual([]);
    return event;
  }

  it('is disabled, and its owner is notified', async () => {
    const id = await createFailing('/hopeless', { hours: 5 * DAY_HOURS + 1, times: 20 });
    const { data } = await waitForNotice('webhook.endpoint.disabled', id);
    expect(data).toMatchObject({
      status: 'disabled',
      disabled_reason: 'failing',
      last_success_at: null,
      last_failure_at: expect.any(String),
    });
    expect(await retrieve(id)).toEqual(data);
    await fixture.waitForRecords(`endpoint_id=${id}&status=abandoned`, ({ length }) => length === 1);
  });

  it('causes one warning and stays enabled', async () => {
    const id = await createFailing('/hopeful', { hours: 3 * DAY_HOURS + 1, times: 5 });
    const { data } = await waitForNotice('webhook.endpoint.warning', id);
    expect(data).toMatchObject({
      id,
      status: 'enabled',
      warning: { reason: 'failing', days: 3, failures: 6, since: expect.any(String) },
    });
    await fixture.publish();
    await fixture.waitForRecords(
      `endpoint_id=${id}&test=false`,
      (records) => records.filter(({ event_id }) => event_id !== 'evt_1').length === 2,
    );
    expect(fixture.receiver.requestsFor('/notices').filter(({ body }) => JSON.parse(body).data.id === id)).toHaveLength(
      1,
    );
  });

  it('starts without failures when it is enabled again', async () => {
    const id = await createFailing('/again', { hours: 5 * DAY_HOURS + 1, times: 20 });
    await waitForNotice('webhook.endpoint.disabled', id);
    await fixture.editEndpoint(id, { status: 'enabled' });
    await fixture.publish();
    await waitFor(async () =>
      (await fixture.listDeliveries(`endpoint_id=${id}&status=failed`)).body.data.some(isNew) ? true : null,
    );
    expect(await retrieve(id)).toMatchObject({ status: 'enabled' });
  });

  it('causes a warning when its receiver has missed a rotation', async () => {
    fixture.receiver.setResponses('/rotated', respondWith(401));
    const { id } = await fixture.createEndpoint('/rotated', { event_types: [PUBLISHED_TYPE] });
    await fixture.rotateSecret(id);
    for (let i = 0; i < 5; i++) await fixture.publish();
    const { data } = await waitForNotice('webhook.endpoint.warning', id);
    expect(data.warning).toMatchObject({ reason: 'refused_after_rotation', days: null, since: data.secret_rotated_at });
  });

  it('causes no notice when its owner disables it', async () => {
    const { id } = await fixture.createEndpoint('/by-hand', { event_types: [PUBLISHED_TYPE] });
    await fixture.editEndpoint(id, { status: 'disabled' });
    await createFailing('/witness', { hours: 5 * DAY_HOURS + 1, times: 20 }).then((witness) =>
      waitForNotice('webhook.endpoint.disabled', witness),
    );
    expect(fixture.receiver.requestsFor('/notices').filter(({ body }) => JSON.parse(body).data.id === id)).toEqual([]);
  });
});

function isNew({ event_id }: { event_id: string }): boolean {
  return event_id !== 'evt_1';
}
