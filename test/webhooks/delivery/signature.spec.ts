import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { createEnvelope, type EventPayload } from '../../../src/webhooks/delivery/envelope.js';
import { generateSecret, removeValidSignatures } from '../../../src/webhooks/delivery/signature.js';
import { createAttempt } from '../facts.js';

const payload: EventPayload = {
  eventId: 'evt_1',
  type: 'product.approved',
  version: '1',
  sequence: 1,
  occurredAt: '2026-02-01T08:59:59.900Z',
  test: false,
  data: { id: 'prod_1', name: 'Größe "L" 👟' },
  changes: null,
};

const stripe = new Stripe('sk_test_unused');

function sign(secret: string, nowMs = Date.now()) {
  const { body, headers } = createEnvelope(payload, createAttempt(2), secret, nowMs)!;
  return { body: body.toString(), headers };
}

describe('A signed envelope', () => {
  const secret = generateSecret();

  it('has a secret of 32 bytes', () => {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(generateSecret()).not.toBe(secret);
  });

  it('has the signature format of the contract', () =>
    expect(sign(secret, 1_795_271_169_999).headers['X-Service-Signature']).toMatch(/^t=1795271169,v1=[0-9a-f]{64}$/));

  it('is accepted by the stripe library with the whole secret', () => {
    const { body, headers } = sign(secret);
    expect(stripe.webhooks.constructEvent(body, headers['X-Service-Signature']!, secret)).toMatchObject({
      id: 'evt_1',
    });
  });

  it('is accepted by the Standard Webhooks library', () => {
    const { body, headers } = sign(secret);
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ id: 'evt_1' });
  });

  it('is refused by both libraries with another secret', () => {
    const { body, headers } = sign(secret);
    expect(() => stripe.webhooks.constructEvent(body, headers['X-Service-Signature']!, generateSecret())).toThrow(
      'signature',
    );
    expect(() => new Webhook(generateSecret()).verify(body, headers)).toThrow('signature');
  });

  it('contains the event, the delivery id and the attempt number', () => {
    const { body, headers } = sign(secret);
    const { deliveryId, startedAt } = createAttempt(2);
    expect(JSON.parse(body)).toEqual({
      id: 'evt_1',
      type: 'product.approved',
      version: '1',
      occurred_at: '2026-02-01T08:59:59.900Z',
      sequence: 1,
      created_at: startedAt,
      delivery_id: deliveryId,
      attempt: 2,
      test: false,
      data: payload.data,
      changes: null,
    });
    expect(headers).toMatchObject({
      'Content-Type': 'application/json',
      'X-Service-Event-Id': 'evt_1',
      'X-Service-Event-Type': 'product.approved',
      'X-Service-Delivery-Id': deliveryId,
      'X-Service-Attempt': '2',
      'webhook-id': 'evt_1',
    });
  });

  it('has a body of at most 256 KiB', () => {
    const huge = { ...payload, data: { text: 'x'.repeat(256 * 1024) } };
    expect(createEnvelope(huge, createAttempt(1), secret, Date.now())).toBeNull();
  });
});

describe('The display of request headers', () => {
  const headers = { 'X-Service-Signature': 't=1,v1=00', 'webhook-signature': 'v1,AA==', 'webhook-id': 'evt_1' };

  it('hides the signatures for the five minutes in which a receiver accepts them', () =>
    expect(removeValidSignatures(headers, 300_000)).toEqual({ 'webhook-id': 'evt_1' }));

  it('shows the signatures after that time', () => expect(removeValidSignatures(headers, 300_001)).toEqual(headers));
});
