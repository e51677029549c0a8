import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import type { ReceivedRequest } from '../../support/receiver.js';
import { respondWith } from '../../support/receiver-responses.js';
import { newIdempotencyKey, PUBLISHED_TYPE, toProblem, WebhookFixture } from '../webhook-fixture.js';

const stripe = new Stripe('sk_test_unused');

function isSignedWith(secret: string, { body, headers }: ReceivedRequest): boolean {
  try {
    stripe.webhooks.constructEvent(body, headers['x-service-signature'] as string, secret);
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

describe('A rotation of the signing secret', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => void (fixture = await WebhookFixture.start({ WEBHOOK_RETRY_SCHEDULE: '0.3,0.3' })));
  afterAll(() => fixture.close());

  it('returns the new secret once', async () => {
    const { id, signing_secret: old } = await fixture.createEndpoint('/once', { event_types: ['offer.sent'] });
    const key = newIdempotencyKey();
    const first = await fixture.rotateSecret(id, key);
    expect(first.status).toBe(201);
    const { signing_secret, ...endpoint } = first.body.data;
    expect(signing_secret).toMatch(/^whsec_/);
    expect(signing_secret).not.toBe(old);
    expect(endpoint).toMatchObject({ id, secret_rotated_at: endpoint.updated_at });

    const again = await fixture.rotateSecret(id, key);
    expect([again.status, again.body.data]).toEqual([201, endpoint]);
    expect((await fixture.rotateSecret(id)).body.data.signing_secret).not.toBe(signing_secret);
  });

  it('applies to a retry that was already planned', async () => {
    fixture.receiver.setResponses('/rotated', respondWith(500), respondWith(200));
    const { id, signing_secret: old } = await fixture.createEndpoint('/rotated', { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    const [first] = await fixture.receiver.waitForRequests('/rotated');
    const { signing_secret: fresh } = (await fixture.rotateSecret(id)).body.data;
    const [, retry] = await fixture.receiver.waitForRequests('/rotated', 2);

    expect([isSignedWith(old, first!), isSignedWith(fresh, first!)]).toEqual([true, false]);
    expect([isSignedWith(old, retry!), isSignedWith(fresh, retry!)]).toEqual([false, true]);
    expect(JSON.parse(retry!.body)).toMatchObject({ attempt: 2, occurred_at: JSON.parse(first!.body).occurred_at });
  });

  it('applies to every attempt that starts after it, without an overlap', async () => {
    const { id, signing_secret } = await fixture.createEndpoint('/busy', { event_types: [PUBLISHED_TYPE] });
    const secrets = [signing_secret];
    for (let i = 0; i < 5; i++) {
      const [, rotation] = await Promise.all([fixture.publish(), fixture.rotateSecret(id)]);
      secrets.push(rotation.body.data.signing_secret);
      const sent = (await fixture.receiver.waitForRequests('/busy', 2 * i + 1)).at(-1)!;
      expect(secrets.slice(-2).some((secret) => isSignedWith(secret, sent))).toBe(true);
      await fixture.sendTestEvent(id);
      expect(isSignedWith(secrets.at(-1), fixture.receiver.requestsFor('/busy').at(-1)!)).toBe(true);
    }
  });

  it('needs a secret key', async () => {
    const { id } = await fixture.createEndpoint('/keys', { event_types: ['offer.sent'] });
    const path = `/v1/webhooks/endpoints/${id}/secret-rotations`;
    const readOnly = fixture.service.createApi(
      await fixture.service.createKey(fixture.business, { access: 'read_only' }),
    );
    const session = fixture.service.createApi(await fixture.service.signToken(fixture.business.ownerSubject));
    expect(toProblem(await readOnly.post(path, {}, newIdempotencyKey()))).toMatchObject({
      status: 403,
      code: 'read_only_key',
    });
    expect(toProblem(await session.post(path, {}, newIdempotencyKey()))).toMatchObject({
      status: 403,
      code: 'secret_key_required',
    });
    expect(toProblem(await fixture.api.post(path))).toMatchObject({ status: 400, code: 'idempotency_key_required' });
  });
});
