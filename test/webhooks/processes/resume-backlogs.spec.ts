import { Jobs } from '../../../src/kernel/jobs.js';
import { attemptQueueOf } from '../../../src/webhooks/delivery/backlogs.js';
import type { ApiResponse } from '../../support/api.js';
import { respondWith } from '../../support/receiver-responses.js';
import { newIdempotencyKey, PUBLISHED_TYPE, waitFor, WebhookFixture } from '../webhook-fixture.js';

/** The breaker opens for longer than the test may run, and a backlog checks it every 30 s. */
const SETTINGS = { WEBHOOK_RETRY_SCHEDULE: '3600', WEBHOOK_BREAKER_WAITS: '600' };
/** Shorter than that check. */
const TIMEOUT_MS = 15_000;
const WAITING = 3;

describe('The attempts that wait for an open circuit breaker', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => void (fixture = await WebhookFixture.start(SETTINGS)));
  afterAll(() => fixture.close());

  /** Creates an endpoint with an open breaker and at least three waiting first attempts. Its receiver is repaired. */
  async function createWaiting(path: string): Promise<ApiResponse['body']> {
    fixture.receiver.setResponses(path, respondWith(500));
    const endpoint = await fixture.createEndpoint(path, { event_types: [PUBLISHED_TYPE] });
    for (let i = 0; i < 10; i++) await fixture.publish();
    await fixture.waitForRecords(`endpoint_id=${endpoint.id}&status=failed`, ({ length }) => length >= 10);
    // Some may be sent before the breaker opens.
    for (let i = 0; i < 2 * WAITING; i++) await fixture.publish();
    await waitFor(async () => ((await readWaiting(endpoint.id)) >= WAITING ? true : null));
    fixture.receiver.setResponses(path, respondWith(200));
    return endpoint;
  }

  async function readWaiting(endpointId: string): Promise<number> {
    const { data } = (await fixture.api.get(`/v1/webhooks/endpoints/${endpointId}`)).body;
    return data.waiting?.count ?? 0;
  }

  /** Waits until nothing waits any more. One of the events may have been sent before the breaker opened. */
  async function waitUntilSent(endpointId: string): Promise<void> {
    await waitFor(async () => ((await readWaiting(endpointId)) === 0 ? true : null), TIMEOUT_MS);
    const query = `endpoint_id=${endpointId}&status=success`;
    await fixture.waitForRecords(query, ({ length }) => length >= WAITING - 1);
  }

  async function findFailed(endpointId: string): Promise<string> {
    return (await fixture.listDeliveries(`endpoint_id=${endpointId}&status=failed`)).body.data[0].id;
  }

  it('go on at once after a replay succeeds', async () => {
    const { id } = await createWaiting('/replayed');
    expect((await fixture.replayDelivery(await findFailed(id))).body.data.status).toBe('success');
    await waitUntilSent(id);
  });

  it('go on at once after a replay is refused, since the receiver can be reached', async () => {
    const { id } = await createWaiting('/refused');
    fixture.receiver.setResponses('/refused', respondWith(410), respondWith(200));
    expect((await fixture.replayDelivery(await findFailed(id))).body.data.response_status).toBe(410);
    await waitUntilSent(id);
  });

  it('go on at once at a new URL', async () => {
    const { id } = await createWaiting('/before');
    fixture.receiver.setResponses('/before', respondWith(500));
    await fixture.editEndpoint(id, { url: fixture.receiver.url('/after') });
    await waitUntilSent(id);
    expect(fixture.receiver.requestsFor('/after').length).toBeGreaterThanOrEqual(WAITING - 1);
  });

  it('still wait after another change', async () => {
    const { id } = await createWaiting('/described');
    const [sent, waiting] = [fixture.receiver.requestsFor('/described').length, await readWaiting(id)];
    await fixture.editEndpoint(id, { description: 'Repaired' });
    await fixture.publish();
    await waitFor(async () => ((await readWaiting(id)) > waiting ? true : null));
    expect(fixture.receiver.requestsFor('/described')).toHaveLength(sent);
  });

  it('wait no more for an endpoint that is disabled and enabled', async () => {
    const { id } = await createWaiting('/enabled');
    await fixture.editEndpoint(id, { status: 'disabled' });
    await waitFor(async () => ((await readWaiting(id)) === 0 ? true : null), TIMEOUT_MS);
    await fixture.editEndpoint(id, { status: 'enabled' });
    await fixture.publish();
    await fixture.waitForRecords(`endpoint_id=${id}&status=success`, ({ length }) => length === 1);
  });

  it('wait no more for an endpoint that is deleted', async () => {
    const { id } = await createWaiting('/deleted');
    const jobs = fixture.service.get(Jobs);
    await fixture.api.delete(`/v1/webhooks/endpoints/${id}`);
    const findNext = () => jobs.findNextDue(attemptQueueOf({ endpointId: id, kind: 'first' }).name);
    await waitFor(async () => ((await findNext()) === null ? true : null), TIMEOUT_MS);
  });

  // The last test: the new process does not know an open breaker before its first read.
  it('go on at once after a replay of another process succeeds', async () => {
    const { id } = await createWaiting('/elsewhere');
    const api = await fixture.startAnotherProcess();
    const path = `/v1/webhooks/deliveries/${await findFailed(id)}/replay`;
    expect((await api.post(path, undefined, newIdempotencyKey())).body.data.status).toBe('success');
    await waitUntilSent(id);
  });
});
