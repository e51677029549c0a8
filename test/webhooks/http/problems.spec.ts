import { DAY_MS, toIso } from '../../../src/kernel/clock.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { idOf } from '../../../src/kernel/ids.js';
import type { DeliveryChainEvent } from '../../../src/webhooks/domain/delivery-chain/facts.js';
import { deliveryChainIdOf, deliveryIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import type { Api, ApiResponse, RequestHeaders } from '../../support/api.js';
import { createEvent } from '../../support/jar.js';
import { hang } from '../../support/receiver-responses.js';
import { CHAIN, createAttempt, failed, started } from '../facts.js';
import { newIdempotencyKey, WebhookFixture } from '../webhook-fixture.js';

const UNKNOWN_DELIVERY = 'whd_01m7z805vc38mc1kg7tbkq01';
const LONG_AGO = toIso(Date.now() - 31 * DAY_MS);
const IN_AN_HOUR = toIso(Date.now() + 3_600_000);

interface ReplayOptions {
  readonly api?: Api;
  readonly headers?: RequestHeaders;
  readonly body?: unknown;
}

interface DeliveryOptions {
  readonly occurredAt?: string;
  /** Adds an open attempt. */
  readonly open?: boolean;
  readonly maxAttempts?: number;
  /** Adds a hold by a replay job. */
  readonly held?: boolean;
}

let fixture: WebhookFixture;
let readOnly: Api;
let session: Api;
let enabled: string;
let busy: string;
let disabled: string;
beforeAll(async () => {
  fixture = await WebhookFixture.start({ WEBHOOK_ENDPOINT_CONCURRENCY: '1', WEBHOOK_TIMEOUT_MS: '2500' });
  readOnly = fixture.service.createApi(await fixture.service.createKey(fixture.business, { access: 'read_only' }));
  session = fixture.service.createApi(await fixture.service.signToken('owner'));
  enabled = (await fixture.createEndpoint('/enabled', { event_types: ['offer.sent'] })).id;
  disabled = (await fixture.createEndpoint('/disabled', { event_types: ['offer.sent'], status: 'disabled' })).id;
  busy = (await fixture.createEndpoint('/busy', { event_types: ['offer.sent'] })).id;
  fixture.receiver.setResponses('/busy', hang());
});
afterAll(() => fixture.close());

function replay(
  deliveryId: string,
  { api = fixture.api, headers = newIdempotencyKey(), body }: ReplayOptions = {},
): Promise<ApiResponse> {
  return api.post(`/v1/webhooks/deliveries/${deliveryId}/replay`, body, headers);
}

/** Appends the chain of a failed delivery to the endpoint. */
async function leaveDelivery(
  endpointId: string,
  { occurredAt = toIso(Date.now()), open, maxAttempts = 20, held }: DeliveryOptions = {},
): Promise<string> {
  const eventId = idOf('evt', Date.parse(occurredAt), newIdempotencyKey()['idempotency-key']);
  const chainId = deliveryChainIdOf(occurredAt, eventId, endpointId);
  const facts = { ...CHAIN, chainId, eventId, occurredAt, endpointId, businessId: fixture.business.id, maxAttempts };
  const attempt = (n: number) => createAttempt(n, { deliveryId: deliveryIdOf(chainId, n) });
  const events: DeliveryChainEvent[] = [
    { type: 'DeliveryChainPlanned', data: { ...facts, dueAt: occurredAt } },
    started(attempt(1), { chainId, owner: null }),
    failed(attempt(1), facts),
    ...(held
      ? [{ type: 'DeliveryChainHeld' as const, data: { chainId, endpointId, replayJobId: 'whj_1', attempt: 1 } }]
      : []),
    ...(open ? [started(attempt(2), { chainId, owner: null, leaseUntil: IN_AN_HOUR })] : []),
  ];
  const recorded = events.map(({ type, data }, i) => createEvent(`${chainId} ${i}`, type, data));
  const store = fixture.service.get(EventStore);
  const event = {
    eventId,
    type: CHAIN.eventType,
    version: '1',
    occurredAt,
    businessId: 'biz_without_endpoints',
    mode: 'live',
    data: {},
  };
  // The event belongs to a business without endpoints, so no process plans a chain for it.
  await store.append(`publicEvent-${eventId}`, 'none', [createEvent(eventId, 'PublicEventRecorded', event)]);
  await store.append(`deliveryChain-${chainId}`, 'none', recorded);
  return deliveryIdOf(chainId, 1);
}

/** Under a key that another request has been answered under. */
async function replayUnderUsedKey(): Promise<ApiResponse> {
  const headers = newIdempotencyKey();
  await fixture.sendTestEvent(enabled, headers);
  return replay(UNKNOWN_DELIVERY, { headers });
}

async function replayUnderKeyInUse(): Promise<ApiResponse> {
  const [headers, id] = [newIdempotencyKey(), await leaveDelivery(busy)];
  const sent = fixture.receiver.requestsFor('/busy').length;
  const first = replay(id, { headers });
  await fixture.receiver.waitForRequests('/busy', sent + 1);
  const second = await replay(id, { headers });
  await first;
  return second;
}

async function testUnderKeyInUse(): Promise<ApiResponse> {
  const [headers, sent] = [newIdempotencyKey(), fixture.receiver.requestsFor('/busy').length];
  const first = fixture.sendTestEvent(busy, headers);
  await fixture.receiver.waitForRequests('/busy', sent + 1);
  const second = await fixture.sendTestEvent(busy, headers);
  await first;
  return second;
}

/** Sends the request while the only slot of the endpoint is taken. */
async function askWhileBusy(ask: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const sent = fixture.receiver.requestsFor('/busy').length;
  const test = fixture.sendTestEvent(busy);
  await fixture.receiver.waitForRequests('/busy', sent + 1);
  const reply = await ask();
  await test;
  return reply;
}

/** The order is that of the checks: where possible, the request of a row also has the errors of later rows. */
const REPLAY_PROBLEMS: readonly (readonly [
  status: number,
  code: string,
  when: string,
  ask: () => Promise<ApiResponse>,
])[] = [
  [
    401,
    'authentication_required',
    'without a credential',
    () => replay(UNKNOWN_DELIVERY, { api: fixture.service.createApi(), headers: {} }),
  ],
  [
    401,
    'invalid_credentials',
    'with an invalid credential',
    () => replay(UNKNOWN_DELIVERY, { api: fixture.service.createApi('sk_live_x'), headers: {} }),
  ],
  [403, 'read_only_key', 'with a read-only key', () => replay(UNKNOWN_DELIVERY, { api: readOnly, headers: {} })],
  [
    403,
    'business_access_denied',
    'with a session without a business',
    () => replay(UNKNOWN_DELIVERY, { api: session, headers: {} }),
  ],
  [
    400,
    'idempotency_key_required',
    'without an idempotency key',
    () => replay(UNKNOWN_DELIVERY, { headers: {}, body: { now: true } }),
  ],
  [
    400,
    'invalid_idempotency_key',
    'with an empty idempotency key',
    () => replay(UNKNOWN_DELIVERY, { headers: { 'idempotency-key': '' }, body: { now: true } }),
  ],
  [409, 'idempotency_key_conflict', 'with the idempotency key of another request', replayUnderUsedKey],
  [409, 'idempotency_key_in_progress', 'with an idempotency key in use', replayUnderKeyInUse],
  [422, 'unknown_parameter', 'with an unknown field', () => replay(UNKNOWN_DELIVERY, { body: { now: true } })],
  [404, 'not_found', 'of an unknown delivery', () => replay(UNKNOWN_DELIVERY)],
  [
    422,
    'endpoint_disabled',
    'to a disabled endpoint',
    async () => replay(await leaveDelivery(disabled, { open: true, occurredAt: LONG_AGO })),
  ],
  [
    409,
    'delivery_replayed_by_job',
    'while a replay job holds it',
    async () => replay(await leaveDelivery(enabled, { held: true, occurredAt: LONG_AGO })),
  ],
  [
    409,
    'delivery_in_progress',
    'while it is sent',
    async () => replay(await leaveDelivery(enabled, { open: true, occurredAt: LONG_AGO })),
  ],
  [
    422,
    'expired',
    'of an expired event',
    async () => replay(await leaveDelivery(enabled, { occurredAt: LONG_AGO, maxAttempts: 1 })),
  ],
  [
    422,
    'attempts_exhausted',
    'after the last attempt',
    () => askWhileBusy(async () => replay(await leaveDelivery(busy, { maxAttempts: 1 }))),
  ],
  [
    503,
    'service_unavailable',
    'while no slot is free',
    () => askWhileBusy(async () => replay(await leaveDelivery(busy))),
  ],
];

describe('A replay', () => {
  it.each(REPLAY_PROBLEMS)('is refused with %d %s %s', async (status, code, _, ask) => {
    const reply = await ask();
    expect([reply.status, reply.body.code, reply.headers.get('content-type')]).toEqual([
      status,
      code,
      'application/problem+json',
    ]);
    const isPassing = [409, 503].includes(status) && code !== 'idempotency_key_conflict';
    if (isPassing) expect(reply.headers.get('retry-after')).toBe('1');
  });

  it('is refused with 422 endpoint_disabled and a specific detail after its endpoint was deleted', async () => {
    const { id } = await fixture.createEndpoint('/deleted', { event_types: ['offer.sent'] });
    const delivery = await leaveDelivery(id, { open: true, occurredAt: LONG_AGO });
    await fixture.api.delete(`/v1/webhooks/endpoints/${id}`);
    const { status, body } = await replay(delivery);
    expect([status, body.code, body.detail]).toEqual([422, 'endpoint_disabled', expect.stringContaining('deleted')]);
  });
});

const endpointsPath = '/v1/webhooks/endpoints';
const create = (body: object) => fixture.api.post(endpointsPath, { url: fixture.receiver.url('/'), ...body });
const edit = (body: object) => fixture.editEndpoint('whs_1', body);
const backwards = (list: string, time: string) => `/v1/webhooks/${list}?${time}_from=2026-02-02&${time}_to=2026-02-01`;

const OTHER_PROBLEMS: readonly (readonly [
  status: number,
  code: string,
  what: string,
  ask: () => Promise<ApiResponse>,
])[] = [
  [409, 'idempotency_key_in_progress', 'a test event with an idempotency key in use', testUnderKeyInUse],
  [
    503,
    'service_unavailable',
    'a test event while no slot is free',
    () => askWhileBusy(() => fixture.sendTestEvent(busy)),
  ],
  [422, 'url_not_allowed', 'an endpoint at a forbidden address', () => create({ url: 'https://10.0.0.1/' })],
  [
    422,
    'event_type_unknown',
    'an endpoint for an unknown event type',
    () => create({ event_types: ['offer.exploded'] }),
  ],
  [422, 'event_type_closed', 'an endpoint for test events', () => create({ event_types: ['webhook.test'] })],
  [422, 'validation_failed', 'an endpoint with several errors', () => create({ url: 'x', event_types: [] })],
  [422, 'url_not_allowed', 'an edit of an unknown endpoint to an invalid URL', () => edit({ url: 'x' })],
  [
    422,
    'url_not_allowed',
    'an edit of an unknown endpoint to a forbidden address',
    () => edit({ url: 'https://10.0.0.1/' }),
  ],
  [
    422,
    'event_type_unknown',
    'an edit of an unknown endpoint to an unknown event type',
    () => edit({ event_types: ['offer.exploded'] }),
  ],
  [
    422,
    'event_type_closed',
    'an edit of an unknown endpoint to test events',
    () => edit({ event_types: ['webhook.test'] }),
  ],
  [404, 'not_found', 'an edit of an unknown endpoint', () => edit({ url: fixture.receiver.url('/') })],
  [
    400,
    'invalid_parameter',
    'statistics since an invalid time',
    () => fixture.api.get(`${endpointsPath}/whs_1/stats?since=yesterday`),
  ],
  [400, 'invalid_parameter', 'events of a reversed period', () => fixture.api.get(backwards('events', 'occurred'))],
  [
    400,
    'invalid_parameter',
    'deliveries of a reversed period',
    () => fixture.api.get(backwards('deliveries', 'created')),
  ],
  [400, 'invalid_parameter', 'an unknown filter', () => fixture.api.get('/v1/webhooks/deliveries?state=failed')],
  [
    404,
    'not_found',
    'the response of an unknown delivery',
    () => fixture.api.get(`/v1/webhooks/deliveries/${UNKNOWN_DELIVERY}/response`),
  ],
];

describe('The service', () => {
  it.each(OTHER_PROBLEMS)('refuses with %d %s %s', async (status, code, _, ask) => {
    const reply = await ask();
    expect([reply.status, reply.body.code, reply.headers.get('content-type')]).toEqual([
      status,
      code,
      'application/problem+json',
    ]);
  });

  it('refuses with 429 rate_limited the eleventh test event in a minute', async () => {
    const { id } = await fixture.createEndpoint('/often', { event_types: ['offer.sent'] });
    for (let i = 0; i < 10; i++) expect((await fixture.sendTestEvent(id)).status).toBe(201);
    const { status, body, headers } = await fixture.sendTestEvent(id);
    expect([status, body.code, Number(headers.get('retry-after')) > 0]).toEqual([429, 'rate_limited', true]);
  });

  it('refuses with 422 endpoint_limit_reached an endpoint above the limit', async () => {
    const other = await WebhookFixture.addBusiness(fixture.service, fixture.receiver);
    const all = await Promise.all(
      Array.from({ length: 21 }, () => other.api.post(endpointsPath, { url: other.receiver.url('/') })),
    );
    const refused = all.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([[422, 'endpoint_limit_reached']]);

    const forbidden = await other.api.post(endpointsPath, { url: 'https://10.0.0.1/' });
    expect([forbidden.status, forbidden.body.code]).toEqual([422, 'url_not_allowed']);
  });
});
