import { createTestWebhook, verifyWebhook } from '../../../clients/typescript/src/index.ts';
import { createEnvelope } from '../../../src/webhooks/delivery/envelope.js';
import { verifyWebhook as verifyByLibraries } from '../../support/verify-webhook.ts';

const SECRET = `whsec_${Buffer.alloc(32, 's').toString('base64')}`;
const NOW = Date.parse('2026-02-01T12:00:00.000Z');
const TIME = '2026-02-01T11:59:00.000Z';
const EVENT = { type: 'cart.order.completed', data: { id: 'ord_1', name: 'zurück' } } as const;

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

describe('createTestWebhook', () => {
  it('makes the request that the service sends, byte for byte', async () => {
    const sent = createEnvelope(
      { ...EVENT, eventId: 'evt_1', version: '1', occurredAt: TIME, sequence: 7, test: false, changes: null },
      { deliveryId: 'whd_1', attempt: 2, startedAt: TIME },
      SECRET,
      NOW,
    )!;
    const members = { id: 'evt_1', version: '1', occurred_at: TIME, sequence: 7, created_at: TIME, test: false };
    const given = { ...EVENT, ...members, delivery_id: 'whd_1', attempt: 2 };

    expect(await createTestWebhook(given, SECRET, { now: NOW })).toEqual({
      body: sent.body.toString(),
      headers: sent.headers,
    });
  });

  it('fills in what is left out, and is accepted by verifyWebhook', async () => {
    const { body, headers } = await createTestWebhook(EVENT, SECRET);

    expect(await verifyWebhook(body, headers, SECRET)).toEqual({
      ...EVENT,
      id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
      version: '1',
      occurred_at: expect.stringMatching(/Z$/),
      sequence: 1,
      created_at: expect.stringMatching(/Z$/),
      delivery_id: expect.stringMatching(/^whd_[0-9a-z]{26}$/),
      attempt: 1,
      test: true,
      changes: null,
    });
  });

  it('is accepted by the libraries of both signature schemes', async () => {
    const { body, headers } = await createTestWebhook(EVENT, SECRET);
    const request = { body, headers: lowerCase(headers) };

    expect(verifyByLibraries(request as never, SECRET)).toMatchObject({ type: EVENT.type });
  });

  it('makes an old, a forged and a malformed webhook', async () => {
    const old = await createTestWebhook(EVENT, SECRET, { now: NOW });
    const forged = await createTestWebhook(EVENT, `whsec_${Buffer.alloc(32, 'o').toString('base64')}`);
    const malformed = await createTestWebhook('{', SECRET);

    await expect(verifyWebhook(old.body, old.headers, SECRET)).rejects.toMatchObject({ fault: 'outside_tolerance' });
    await expect(verifyWebhook(forged.body, forged.headers, SECRET)).rejects.toMatchObject({
      fault: 'no_matching_signature',
    });
    await expect(verifyWebhook('{', malformed.headers, SECRET)).rejects.toMatchObject({ fault: 'invalid_body' });
  });

  it.each(['', 'secret', 'whsec_%'])('refuses the secret %j without repeating it', async (secret) =>
    expect(createTestWebhook(EVENT, secret)).rejects.toThrow('The signing secret is not "whsec_" and base64'),
  );
});
