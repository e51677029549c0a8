import { gzipSync } from 'node:zlib';
import { Captures } from '../../../src/webhooks/delivery/captures.js';
import { hang, redirect, respondWith, sendLargeBody } from '../../support/receiver-responses.js';
import { PUBLISHED_TYPE, toProblem, waitFor, WebhookFixture } from '../webhook-fixture.js';

const CLOSED_PORT = 'http://127.0.0.1:1/';

describe('The attempts of a delivery', () => {
  let fixture: WebhookFixture;
  beforeAll(
    async () =>
      void (fixture = await WebhookFixture.start({ WEBHOOK_RETRY_SCHEDULE: '3600', WEBHOOK_TIMEOUT_MS: '2000' })),
  );
  afterAll(() => fixture.close());

  const about = (id: string, part: string) => fixture.api.get(`/v1/webhooks/deliveries/${id}/${part}`);

  async function deliver(path: string, body: object = {}) {
    const { id } = await fixture.createEndpoint(path, { event_types: [PUBLISHED_TYPE], ...body });
    await fixture.publish();
    const [record] = await fixture.waitForRecords(`endpoint_id=${id}`, ({ length }) => length === 1);
    await fixture.api.delete(`/v1/webhooks/endpoints/${id}`);
    return record;
  }

  it('are listed with their requesters, replayed records and the due time of the next attempt', async () => {
    fixture.receiver.setResponses('/twice', respondWith(500));
    const { id } = await fixture.createEndpoint('/twice', { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    const [first] = await fixture.waitForRecords(`endpoint_id=${id}`, ({ length }) => length === 1);
    const second = (await fixture.replayDelivery(first.id)).body.data;

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
    const record = await deliver('/once');
    expect((await about(record.id, 'attempts')).body.data).toEqual({
      attempts: [{ ...record, requested_by: null }],
      next_attempt_at: null,
    });
  });

  it('have the sent request without secrets and without valid signatures', async () => {
    const record = await deliver('/sent');
    const [sent] = fixture.receiver.requestsFor('/sent');
    const { headers, body } = (await about(record.id, 'request')).body.data;
    expect(body).toBe(sent!.body);
    for (const [name, value] of Object.entries(headers)) expect(sent!.headers[name.toLowerCase()]).toBe(value);
    expect(Object.keys(headers)).toContain('webhook-timestamp');
    for (const name of ['X-Service-Signature', 'webhook-signature']) expect(Object.keys(headers)).not.toContain(name);
    expect(JSON.stringify({ headers, body })).not.toContain('whsec_');
  });

  it('have the request of a test event', async () => {
    const { id } = await fixture.createEndpoint('/tried', { event_types: ['offer.sent'] });
    const { delivery_id } = (await fixture.sendTestEvent(id)).body.data;
    expect((await about(delivery_id, 'request')).body.data.body).toBe(fixture.receiver.requestsFor('/tried')[0]!.body);
  });

  it('have the received response', async () => {
    fixture.receiver.setResponses('/answered', (_, response) =>
      response.writeHead(422, { 'x-why': 'no' }).end('{"reason":"é"}'),
    );
    const record = await deliver('/answered');
    expect((await about(record.id, 'response')).body.data).toEqual({
      headers: expect.objectContaining({ 'x-why': 'no' }),
      body: '{"reason":"é"}',
    });
  });

  it('have the headers of the response under any names', async () => {
    const named = [
      ['__proto__', 'a'],
      ['$set', 'b'],
      ['x.a$b', 'c'],
    ];
    fixture.receiver.setResponses('/named', (_, response) => response.writeHead(200, named.flat()).end());
    const { id } = await deliver('/named');
    const { headers } = (await about(id, 'response')).body.data;
    expect(Object.entries(headers)).toEqual(expect.arrayContaining(named));
  });

  it.each([
    ['in Latin-1', { 'content-type': 'text/plain; charset=iso-8859-1' }, Buffer.from('d\u00e9j\u00e0', 'latin1')],
    ['compressed', { 'content-encoding': 'gzip' }, gzipSync('received')],
    ['cut within a character', {}, Buffer.from('\u{1f600}').subarray(0, 3)],
    ['with zero bytes and surrogates', {}, Buffer.from([0, 0xed, 0xa0, 0x80, 0x41])],
  ])('have a body %s as far as it is UTF-8', async (name, headers, body) => {
    const path = `/${name.replaceAll(' ', '-')}`;
    fixture.receiver.setResponses(path, (_, response) => response.writeHead(200, headers).end(body));
    const record = await deliver(path);
    expect(record).toMatchObject({ status: 'success', response_status: 200 });
    const shown = (await about(record.id, 'response')).body.data;
    expect(shown.body).toBe(new TextDecoder().decode(body));
    expect(shown.headers).toMatchObject(headers);
  });

  it('name the target of a redirect in the response, and not in the reason of the failure', async () => {
    const location = 'https://receiver.example.com/moved?token=secret';
    fixture.receiver.setResponses('/moved', redirect(location, 308));
    const record = await deliver('/moved');
    expect(record.failure).toEqual({
      reason: 'redirect',
      detail: 'The receiver answered with status 308. Redirects are not followed.',
    });
    expect((await about(record.id, 'response')).body.data.headers).toMatchObject({ location });
  });

  it('have the beginning of a huge response', async () => {
    fixture.receiver.setResponses('/huge', sendLargeBody());
    const record = await deliver('/huge');
    expect((await about(record.id, 'response')).body.data.body).toHaveLength(16 * 1024);
  });

  it('have the request but no response when no response was received', async () => {
    fixture.receiver.setResponses('/silent', hang());
    const record = await deliver('/silent');
    expect(toProblem(await about(record.id, 'response'))).toMatchObject({ status: 404, code: 'not_found' });
    expect((await about(record.id, 'request')).status).toBe(200);
  });

  it('have no request when nothing was sent', async () => {
    const record = await deliver('/unsent', { url: CLOSED_PORT });
    expect(toProblem(await about(record.id, 'request'))).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('have their request and response after the sending process ended', async () => {
    const record = await deliver('/kept');
    const again = await fixture.startAnotherProcess();
    await waitFor(async () =>
      (await again.get(`/v1/webhooks/deliveries/${record.id}/response`)).status === 200 ? true : null,
    );
  });

  it.each(['attempts', 'request', 'response'])('are not accessible to another business: %s', async (part) => {
    const { id } = await deliver(`/own-${part}`);
    const other = await WebhookFixture.addBusiness(fixture.service, fixture.receiver);
    expect((await other.api.get(`/v1/webhooks/deliveries/${id}/${part}`)).status).toBe(404);
    expect((await about('whd_unknown', part)).status).toBe(404);
    expect((await about(id.slice(0, -2) + '07', part)).status).toBe(404);
  });
});

describe('A delivery whose request and response are not written yet', () => {
  it.each(['request', 'response'])('returns a 503 with Retry-After for its %s', async (part) => {
    const fixture = await WebhookFixture.start();
    try {
      await fixture.createEndpoint('/recent', { event_types: [PUBLISHED_TYPE] });
      await fixture.publish();
      const [record] = await fixture.waitForRecords('', ({ length }) => length === 1);
      const again = await fixture.startAnotherProcess();
      await waitFor(async () =>
        (await again.get(`/v1/webhooks/deliveries/${record.id}/${part}`)).status === 200 ? true : null,
      );
      await fixture.service.get(Captures).dropDay(record.created_at.slice(0, 10));

      const answer = await again.get(`/v1/webhooks/deliveries/${record.id}/${part}`);
      expect(toProblem(answer)).toMatchObject({ status: 503, code: 'service_unavailable' });
      expect(answer.headers.get('retry-after')).toBe('1');
    } finally {
      await fixture.close();
    }
  });
});
