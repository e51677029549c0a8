import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { status } from '../../support/answers.js';
import type { Received } from '../../support/receiver.js';
import { Desk, freshKey, OCCURRENCE, refusalOf } from '../desk.js';

const stripe = new Stripe('sk_test_unused');

function isSignedWith(secret: string, { body, headers }: Received): boolean {
  try {
    stripe.webhooks.constructEvent(body, headers['x-service-signature'] as string, secret);
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

describe('A rotation of the signing secret', () => {
  let desk: Desk;
  beforeAll(async () => void (desk = await Desk.open({ WEBHOOK_RETRY_SCHEDULE: '0.3,0.3' })));
  afterAll(() => desk.close());

  it('returns the new secret once', async () => {
    const { id, signing_secret: old } = await desk.endpoint('/once', { event_types: ['offer.sent'] });
    const key = freshKey();
    const first = await desk.rotate(id, key);
    expect(first.status).toBe(201);
    const { signing_secret, ...endpoint } = first.body.data;
    expect(signing_secret).toMatch(/^whsec_/);
    expect(signing_secret).not.toBe(old);
    expect(endpoint).toMatchObject({ id, secret_rotated_at: endpoint.updated_at });

    const again = await desk.rotate(id, key);
    expect([again.status, again.body.data]).toEqual([201, endpoint]);
    expect((await desk.rotate(id)).body.data.signing_secret).not.toBe(signing_secret);
  });

  it('applies to a retry that was already planned', async () => {
    desk.receiver.answers('/rotated', status(500), status(200));
    const { id, signing_secret: old } = await desk.endpoint('/rotated', { event_types: [OCCURRENCE] });
    await desk.occur();
    const [first] = await desk.receiver.received('/rotated');
    const { signing_secret: fresh } = (await desk.rotate(id)).body.data;
    const [, retry] = await desk.receiver.received('/rotated', 2);

    expect([isSignedWith(old, first!), isSignedWith(fresh, first!)]).toEqual([true, false]);
    expect([isSignedWith(old, retry!), isSignedWith(fresh, retry!)]).toEqual([false, true]);
    expect(JSON.parse(retry!.body)).toMatchObject({ attempt: 2, occurred_at: JSON.parse(first!.body).occurred_at });
  });

  it('applies to every attempt that starts after it, without an overlap', async () => {
    const { id, signing_secret } = await desk.endpoint('/busy', { event_types: [OCCURRENCE] });
    const secrets = [signing_secret];
    for (let i = 0; i < 5; i++) {
      const [, rotation] = await Promise.all([desk.occur(), desk.rotate(id)]);
      secrets.push(rotation.body.data.signing_secret);
      const sent = (await desk.receiver.received('/busy', 2 * i + 1)).at(-1)!;
      expect(secrets.slice(-2).some((secret) => isSignedWith(secret, sent))).toBe(true);
      await desk.test(id);
      expect(isSignedWith(secrets.at(-1), desk.receiver.at('/busy').at(-1)!)).toBe(true);
    }
  });

  it('needs a secret key', async () => {
    const { id } = await desk.endpoint('/keys', { event_types: ['offer.sent'] });
    const path = `/v1/webhooks/endpoints/${id}/secret-rotations`;
    const readOnly = desk.service.api(await desk.service.key(desk.business, { access: 'read_only' }));
    const session = desk.service.api(await desk.service.token(desk.business.ownerSubject));
    expect(refusalOf(await readOnly.post(path, {}, freshKey()))).toMatchObject({ status: 403, code: 'read_only_key' });
    expect(refusalOf(await session.post(path, {}, freshKey()))).toMatchObject({ status: 403, code: 'secret_key_required' });
    expect(refusalOf(await desk.api.post(path))).toMatchObject({ status: 400, code: 'idempotency_key_required' });
  });
});
