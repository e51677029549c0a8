import {
  type VerificationFault,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from '../../../clients/typescript/src/index.ts';
import { createSignatureHeaders } from '../../../src/webhooks/delivery/signature.js';

const SECRET = `whsec_${Buffer.alloc(32, 's').toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 'o').toString('base64')}`;
const NOW = Date.parse('2026-02-01T12:00:00.000Z');
const SECONDS = NOW / 1000;
const BODY = '{"id":"evt_1","type":"webhook.test","data":{"text":"zurück"}}';

const sign = (secret = SECRET, seconds = SECONDS, body = BODY): string =>
  createSignatureHeaders(secret, { eventId: 'evt_1', seconds, body: Buffer.from(body) })['X-Service-Signature'];
const signatureOf = (header: string) => header.split(',')[1]!;

async function faultOf(
  headers: WebhookHeaders,
  { body = BODY, secret = SECRET, now = NOW } = {},
): Promise<VerificationFault> {
  const error: unknown = await verifyWebhook(body, headers, secret, { now }).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(WebhookVerificationError);
  return (error as WebhookVerificationError).fault;
}

describe('verifyWebhook', () => {
  it.each([
    ['a text', BODY],
    ['a buffer', Buffer.from(BODY)],
    ['an ArrayBuffer', new TextEncoder().encode(BODY).buffer],
  ])('returns the event of %s', async (_, body) =>
    expect(await verifyWebhook(body, { 'x-service-signature': sign() }, SECRET, { now: NOW })).toEqual(
      JSON.parse(BODY),
    ),
  );

  it.each([
    ['Headers', new Headers({ 'X-Service-Signature': sign() })],
    ['headers of Node', { 'x-service-signature': sign() }],
    ['headers in another case', { 'X-SERVICE-SIGNATURE': sign() }],
    ['a header that was sent twice', { 'x-service-signature': [sign(OTHER), sign()] }],
    ['a header with several signatures', { 'x-service-signature': `${sign(OTHER)},${signatureOf(sign())}` }],
    ['a header with unknown parts', { 'x-service-signature': `${sign()},v2=abc` }],
  ])('accepts %s', async (_, headers: WebhookHeaders) =>
    expect(await verifyWebhook(BODY, headers, SECRET, { now: NOW })).toMatchObject({ id: 'evt_1' }),
  );

  it('accepts one of several secrets', async () =>
    expect(await verifyWebhook(BODY, { 'x-service-signature': sign() }, [OTHER, SECRET], { now: NOW })).toMatchObject({
      id: 'evt_1',
    }));

  it.each(['', undefined, [SECRET, '']])('refuses a missing secret: %j', async (secret) =>
    expect(verifyWebhook(BODY, { 'x-service-signature': sign() }, secret as string, { now: NOW })).rejects.toThrow(
      new TypeError('The signing secret is missing; is the environment variable set?'),
    ),
  );

  it.each([
    ['missing_signature', {}],
    ['missing_signature', { 'x-service-signature': '' }],
    ['malformed_signature', { 'x-service-signature': 'nonsense' }],
    ['malformed_signature', { 'x-service-signature': `t=${SECONDS}` }],
    ['malformed_signature', { 'x-service-signature': `t=soon,${signatureOf(sign())}` }],
    ['malformed_signature', { 'x-service-signature': sign().toUpperCase() }],
    ['no_matching_signature', { 'x-service-signature': sign(OTHER) }],
    ['no_matching_signature', { 'x-service-signature': `t=${SECONDS - 1},${signatureOf(sign())}` }],
  ] as const)('reports %s for %j', async (fault, headers) => expect(await faultOf(headers)).toBe(fault));

  it('detects a changed body', async () =>
    expect(await faultOf({ 'x-service-signature': sign() }, { body: `${BODY} ` })).toBe('no_matching_signature'));

  it.each([-300, 300])('accepts a signature at the limit of the tolerance: %i s', async (seconds) =>
    expect(
      await verifyWebhook(BODY, { 'x-service-signature': sign() }, SECRET, { now: NOW + seconds * 1000 }),
    ).toMatchObject({ id: 'evt_1' }),
  );

  it.each([-301, 301])('refuses a signature beyond the tolerance: %i s', async (seconds) =>
    expect(await faultOf({ 'x-service-signature': sign() }, { now: NOW + seconds * 1000 })).toBe('outside_tolerance'),
  );

  it('names the distance and the limit in the error', async () =>
    expect(
      verifyWebhook(BODY, { 'x-service-signature': sign() }, SECRET, { now: NOW + 400_000, toleranceSeconds: 60 }),
    ).rejects.toThrow('400 s in the past; the limit is 60 s'));

  it('reports a signed body that is not JSON', async () =>
    expect(await faultOf({ 'x-service-signature': sign(SECRET, SECONDS, '{') }, { body: '{' })).toBe('invalid_body'));
});
