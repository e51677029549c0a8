import { Captures } from '../../../src/webhooks/sending/captures.js';
import { hang, huge, status } from '../../support/answers.js';
import { Desk, eventually, OCCURRENCE, refusalOf } from '../desk.js';

const CLOSED_PORT = 'http://127.0.0.1:1/';

describe('The attempts of a delivery', () => {
  let desk: Desk;
  beforeAll(async () => void (desk = await Desk.open({ WEBHOOK_RETRY_SCHEDULE: '3600', WEBHOOK_TIMEOUT_MS: '500' })));
  afterAll(() => desk.close());

  const about = (id: string, part: string) => desk.api.get(`/v1/webhooks/deliveries/${id}/${part}`);

  async function delivered(path: string, body: object = {}) {
    const { id } = await desk.endpoint(path, { event_types: [OCCURRENCE], ...body });
    await desk.occur();
    const [record] = await desk.records(`endpoint_id=${id}`, ({ length }) => length === 1);
    await desk.api.delete(`/v1/webhooks/endpoints/${id}`);
    return record;
  }

  it('are listed with their requesters, replayed records and the due time of the next attempt', async () => {
    desk.receiver.answers('/twice', status(500));
    const { id } = await desk.endpoint('/twice', { event_types: [OCCURRENCE] });
    await desk.occur();
    const [first] = await desk.records(`endpoint_id=${id}`, ({ length }) => length === 1);
    const second = (await desk.replay(first.id)).body.data;

    const view = (await about(second.id, 'attempts')).body.data;
    const requested_by = { type: 'api_key', id: expect.stringMatching(/^key_/) };
    const attempts = [
      { ...first, requested_by: null },
      { ...second, requested_by },
    ];
    expect(view).toEqual({ attempts, next_attempt_at: expect.any(String) });
    expect(view.attempts[1].replayed_from).toBe(first.id);
    expect(Date.parse(view.next_attempt_at) - Date.parse(first.created_at)).toBeGreaterThanOrEqual(3_600_000);
    expect((await about(first.id, 'attempts')).body.data).toEqual(view);
  });

  it('have no next attempt after a success', async () => {
    const record = await delivered('/once');
    expect((await about(record.id, 'attempts')).body.data).toEqual({
      attempts: [{ ...record, requested_by: null }],
      next_attempt_at: null,
    });
  });

  it('have the sent request without secrets and without valid signatures', async () => {
    const record = await delivered('/sent');
    const [sent] = desk.receiver.at('/sent');
    const { headers, body } = (await about(record.id, 'request')).body.data;
    expect(body).toBe(sent!.body);
    for (const [name, value] of Object.entries(headers)) expect(sent!.headers[name.toLowerCase()]).toBe(value);
    expect(Object.keys(headers)).toContain('webhook-timestamp');
    for (const name of ['X-Service-Signature', 'webhook-signature']) expect(Object.keys(headers)).not.toContain(name);
    expect(JSON.stringify({ headers, body })).not.toContain('whsec_');
  });

  it('have the request of a test event', async () => {
    const { id } = await desk.endpoint('/tried', { event_types: ['offer.sent'] });
    const { delivery_id } = (await desk.test(id)).body.data;
    expect((await about(delivery_id, 'request')).body.data.body).toBe(desk.receiver.at('/tried')[0]!.body);
  });

  it('have the received response', async () => {
    desk.receiver.answers('/answered', (_, response) => response.writeHead(422, { 'x-why': 'no' }).end('{"reason":"é"}'));
    const record = await delivered('/answered');
    expect((await about(record.id, 'response')).body.data).toEqual({
      headers: expect.objectContaining({ 'x-why': 'no' }),
      body: '{"reason":"é"}',
    });
  });

  it('have the beginning of a huge response', async () => {
    desk.receiver.answers('/huge', huge());
    const record = await delivered('/huge');
    expect((await about(record.id, 'response')).body.data.body).toHaveLength(16 * 1024);
  });

  it('have the request but no response when no response was received', async () => {
    desk.receiver.answers('/silent', hang());
    const record = await delivered('/silent');
    expect(refusalOf(await about(record.id, 'response'))).toMatchObject({ status: 404, code: 'not_found' });
    expect((await about(record.id, 'request')).status).toBe(200);
  });

  it('have no request when nothing was sent', async () => {
    const record = await delivered('/unsent', { url: CLOSED_PORT });
    expect(refusalOf(await about(record.id, 'request'))).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('have their request and response after the sending process ended', async () => {
    const record = await delivered('/kept');
    const again = await desk.again();
    await eventually(async () => ((await again.get(`/v1/webhooks/deliveries/${record.id}/response`)).status === 200 ? true : null));
  });

  it.each(['attempts', 'request', 'response'])('are not accessible to another business: %s', async (part) => {
    const { id } = await delivered(`/own-${part}`);
    const other = await Desk.in(desk.service, desk.receiver);
    expect((await other.api.get(`/v1/webhooks/deliveries/${id}/${part}`)).status).toBe(404);
    expect((await about('whd_unknown', part)).status).toBe(404);
    expect((await about(id.slice(0, -2) + '07', part)).status).toBe(404);
  });
});

describe('A delivery whose request and response are not written yet', () => {
  it.each(['request', 'response'])('returns a 503 with Retry-After for its %s', async (part) => {
    const desk = await Desk.open();
    try {
      await desk.endpoint('/recent', { event_types: [OCCURRENCE] });
      await desk.occur();
      const [record] = await desk.records('', ({ length }) => length === 1);
      const again = await desk.again();
      await eventually(async () => ((await again.get(`/v1/webhooks/deliveries/${record.id}/${part}`)).status === 200 ? true : null));
      await desk.service.get(Captures).drop(record.created_at.slice(0, 10));

      const answer = await again.get(`/v1/webhooks/deliveries/${record.id}/${part}`);
      expect(refusalOf(answer)).toMatchObject({ status: 503, code: 'service_unavailable' });
      expect(answer.headers.get('retry-after')).toBe('1');
    } finally {
      await desk.close();
    }
  });
});
