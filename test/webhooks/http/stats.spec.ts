import { iso } from '../../../src/kernel/clock.js';
import { hang, status } from '../../support/answers.js';
import { Desk, OCCURRENCE, refusalOf } from '../desk.js';

describe('The statistics of an endpoint', () => {
  let desk: Desk;
  beforeAll(async () => void (desk = await Desk.open({ WEBHOOK_RETRY_SCHEDULE: '3600', WEBHOOK_TIMEOUT_MS: '300' })));
  afterAll(() => desk.close());

  const stats = (id: string, query = '') => desk.api.get(`/v1/webhooks/endpoints/${id}/stats${query}`);

  it('are zero at first', async () => {
    const { id } = await desk.endpoint('/new', { event_types: ['offer.sent'] });
    expect((await stats(id)).body.data).toEqual({
      attempts: 0,
      successes: 0,
      failures: { client_error: 0, server_error: 0, timeout: 0, network: 0, blocked: 0 },
      duration_ms: { p50: null, p95: null },
      oldest_waiting_at: null,
      tests: { attempts: 0, failures: 0 },
    });
  });

  it('count attempts by their outcome, and tests separately', async () => {
    desk.receiver.answers('/mixed', status(200), status(404), status(503), hang(), status(200));
    const { id } = await desk.endpoint('/mixed', { event_types: [OCCURRENCE] });
    for (let i = 1; i <= 5; i++) {
      await desk.occur();
      await desk.records(`endpoint_id=${id}`, ({ length }) => length === i);
    }
    await desk.test(id);
    desk.receiver.answers('/mixed', status(404));
    await desk.test(id);
    const { data } = (await stats(id)).body;
    expect(data).toMatchObject({
      attempts: 5,
      successes: 2,
      failures: { client_error: 1, server_error: 1, timeout: 1, network: 0, blocked: 0 },
      tests: { attempts: 2, failures: 1 },
    });
    expect(data.duration_ms.p95).toBeGreaterThanOrEqual(290);
    expect(data.duration_ms.p50).toBeLessThan(290);

    const [oldest] = await desk.records(`endpoint_id=${id}&response_status=503`, ({ length }) => length === 1);
    expect(Date.parse(oldest.created_at) - Date.parse(data.oldest_waiting_at)).toBeLessThan(1_000);
    expect((await stats(id, `?since=${iso(Date.now() + 7_200_000)}`)).body.data).toMatchObject({ attempts: 0 });
  });

  it('are not accessible to another business', async () => {
    const { id } = await desk.endpoint('/own', { event_types: ['offer.sent'] });
    const other = await Desk.in(desk.service, desk.receiver);
    expect((await other.api.get(`/v1/webhooks/endpoints/${id}/stats`)).status).toBe(404);
    expect(refusalOf(await stats(id, '?since=lately'))).toEqual({ status: 400, code: 'invalid_parameter', params: ['since'] });
  });
});
