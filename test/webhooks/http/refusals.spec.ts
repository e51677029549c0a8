import { DAY_MS, iso } from '../../../src/kernel/clock.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { idOf } from '../../../src/kernel/ids.js';
import type { ChainEvent } from '../../../src/webhooks/domain/chain.js';
import { chainIdOf, deliveryIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { hang } from '../../support/answers.js';
import type { Api, Reply, RequestHeaders } from '../../support/api.js';
import { happened } from '../../support/jar.js';
import { Desk, freshKey } from '../desk.js';
import { attemptOf, CHAIN, failed, started } from '../facts.js';

const NOBODYS = 'whd_01m7z805vc38mc1kg7tbkq01';
const AGES_AGO = iso(Date.now() - 31 * DAY_MS);
const IN_AN_HOUR = iso(Date.now() + 3_600_000);

interface Wish {
  readonly api?: Api;
  readonly headers?: RequestHeaders;
  readonly body?: unknown;
}

interface Past {
  readonly occurredAt?: string;
  /** Adds an open attempt. */
  readonly open?: boolean;
  readonly maxAttempts?: number;
  /** Adds a hold by a replay job. */
  readonly held?: boolean;
}

let desk: Desk;
let readOnly: Api;
let session: Api;
let enabled: string;
let busy: string;
let disabled: string;
beforeAll(async () => {
  desk = await Desk.open({ WEBHOOK_ENDPOINT_CONCURRENCY: '1', WEBHOOK_TIMEOUT_MS: '2500' });
  readOnly = desk.service.api(await desk.service.key(desk.business, { access: 'read_only' }));
  session = desk.service.api(await desk.service.token('owner'));
  enabled = (await desk.endpoint('/enabled', { event_types: ['offer.sent'] })).id;
  disabled = (await desk.endpoint('/disabled', { event_types: ['offer.sent'], status: 'disabled' })).id;
  busy = (await desk.endpoint('/busy', { event_types: ['offer.sent'] })).id;
  desk.receiver.answers('/busy', hang());
});
afterAll(() => desk.close());

function replay(deliveryId: string, { api = desk.api, headers = freshKey(), body }: Wish = {}): Promise<Reply> {
  return api.post(`/v1/webhooks/deliveries/${deliveryId}/replay`, body, headers);
}

/** Appends the chain of a failed delivery to the endpoint. */
async function left(endpointId: string, { occurredAt = iso(Date.now()), open, maxAttempts = 20, held }: Past = {}): Promise<string> {
  const eventId = idOf('evt', Date.parse(occurredAt), freshKey()['idempotency-key']);
  const chainId = chainIdOf(occurredAt, eventId, endpointId);
  const facts = { ...CHAIN, chainId, eventId, occurredAt, endpointId, businessId: desk.business.id, maxAttempts };
  const attempt = (n: number) => attemptOf(n, { deliveryId: deliveryIdOf(chainId, n) });
  const events: ChainEvent[] = [
    { type: 'ChainPlanned', data: { ...facts, dueAt: occurredAt } },
    started(attempt(1), { chainId, run: null }),
    failed(attempt(1), facts),
    ...(held ? [{ type: 'ChainHeld' as const, data: { chainId, endpointId, replayJobId: 'whj_1', attempt: 1 } }] : []),
    ...(open ? [started(attempt(2), { chainId, run: null, leaseUntil: IN_AN_HOUR })] : []),
  ];
  const recorded = events.map(({ type, data }, i) => happened(`${chainId} ${i}`, type, data));
  const store = desk.service.get(EventStore);
  const event = { eventId, type: CHAIN.eventType, version: '1', occurredAt, businessId: 'biz_without_endpoints', mode: 'live', data: {} };
  // The event belongs to a business without endpoints, so no process plans a chain for it.
  await store.append(`publicEvent-${eventId}`, 'none', [happened(eventId, 'PublicEventRecorded', event)]);
  await store.append(`chain-${chainId}`, 'none', recorded);
  return deliveryIdOf(chainId, 1);
}

/** Under a key that another request has been answered under. */
async function underUsedKey(): Promise<Reply> {
  const headers = freshKey();
  await desk.test(enabled, headers);
  return replay(NOBODYS, { headers });
}

async function underKeyInUse(): Promise<Reply> {
  const [headers, id] = [freshKey(), await left(busy)];
  const sent = desk.receiver.at('/busy').length;
  const first = replay(id, { headers });
  await desk.receiver.received('/busy', sent + 1);
  const second = await replay(id, { headers });
  await first;
  return second;
}

async function testUnderKeyInUse(): Promise<Reply> {
  const [headers, sent] = [freshKey(), desk.receiver.at('/busy').length];
  const first = desk.test(busy, headers);
  await desk.receiver.received('/busy', sent + 1);
  const second = await desk.test(busy, headers);
  await first;
  return second;
}

/** Sends the request while the only slot of the endpoint is taken. */
async function whileBusy(ask: () => Promise<Reply>): Promise<Reply> {
  const sent = desk.receiver.at('/busy').length;
  const test = desk.test(busy);
  await desk.receiver.received('/busy', sent + 1);
  const reply = await ask();
  await test;
  return reply;
}

/** The order is that of the checks: where possible, the request of a row also has the errors of later rows. */
const OF_REPLAY: readonly (readonly [status: number, code: string, when: string, ask: () => Promise<Reply>])[] = [
  [401, 'authentication_required', 'without a credential', () => replay(NOBODYS, { api: desk.service.api(), headers: {} })],
  [401, 'invalid_credentials', 'with an invalid credential', () => replay(NOBODYS, { api: desk.service.api('sk_live_x'), headers: {} })],
  [403, 'read_only_key', 'with a read-only key', () => replay(NOBODYS, { api: readOnly, headers: {} })],
  [403, 'business_access_denied', 'with a session without a business', () => replay(NOBODYS, { api: session, headers: {} })],
  [400, 'idempotency_key_required', 'without an idempotency key', () => replay(NOBODYS, { headers: {}, body: { now: true } })],
  [
    400,
    'invalid_idempotency_key',
    'with an empty idempotency key',
    () => replay(NOBODYS, { headers: { 'idempotency-key': '' }, body: { now: true } }),
  ],
  [409, 'idempotency_key_conflict', 'with the idempotency key of another request', underUsedKey],
  [409, 'idempotency_key_in_progress', 'with an idempotency key in use', underKeyInUse],
  [422, 'unknown_parameter', 'with an unknown field', () => replay(NOBODYS, { body: { now: true } })],
  [404, 'not_found', 'of an unknown delivery', () => replay(NOBODYS)],
  [422, 'endpoint_disabled', 'to a disabled endpoint', async () => replay(await left(disabled, { open: true, occurredAt: AGES_AGO }))],
  [
    409,
    'delivery_replayed_by_job',
    'while a replay job holds it',
    async () => replay(await left(enabled, { held: true, occurredAt: AGES_AGO })),
  ],
  [409, 'delivery_in_progress', 'while it is sent', async () => replay(await left(enabled, { open: true, occurredAt: AGES_AGO }))],
  [422, 'expired', 'of an expired event', async () => replay(await left(enabled, { occurredAt: AGES_AGO, maxAttempts: 1 }))],
  [422, 'attempts_exhausted', 'after the last attempt', () => whileBusy(async () => replay(await left(busy, { maxAttempts: 1 })))],
  [503, 'service_unavailable', 'while no slot is free', () => whileBusy(async () => replay(await left(busy)))],
];

describe('A replay', () => {
  it.each(OF_REPLAY)('is refused with %d %s %s', async (status, code, _, ask) => {
    const reply = await ask();
    expect([reply.status, reply.body.code, reply.headers.get('content-type')]).toEqual([status, code, 'application/problem+json']);
    if (status === 503 || code === 'idempotency_key_in_progress') expect(reply.headers.get('retry-after')).toBe('1');
  });

  it('is refused with 422 endpoint_disabled and a specific detail after its endpoint was deleted', async () => {
    const { id } = await desk.endpoint('/deleted', { event_types: ['offer.sent'] });
    const delivery = await left(id, { open: true, occurredAt: AGES_AGO });
    await desk.api.delete(`/v1/webhooks/endpoints/${id}`);
    const { status, body } = await replay(delivery);
    expect([status, body.code, body.detail]).toEqual([422, 'endpoint_disabled', expect.stringContaining('deleted')]);
  });
});

const endpointsPath = '/v1/webhooks/endpoints';
const create = (body: object) => desk.api.post(endpointsPath, { url: desk.receiver.url('/'), ...body });
const edit = (body: object) => desk.edit('whs_1', body);
const backwards = (list: string, time: string) => `/v1/webhooks/${list}?${time}_from=2026-02-02&${time}_to=2026-02-01`;

const OF_OTHERS: readonly (readonly [status: number, code: string, what: string, ask: () => Promise<Reply>])[] = [
  [409, 'idempotency_key_in_progress', 'a test event with an idempotency key in use', testUnderKeyInUse],
  [503, 'service_unavailable', 'a test event while no slot is free', () => whileBusy(() => desk.test(busy))],
  [422, 'url_not_allowed', 'an endpoint at a forbidden address', () => create({ url: 'https://10.0.0.1/' })],
  [422, 'event_type_unknown', 'an endpoint for an unknown event type', () => create({ event_types: ['offer.exploded'] })],
  [422, 'event_type_closed', 'an endpoint for test events', () => create({ event_types: ['webhook.test'] })],
  [422, 'validation_failed', 'an endpoint with several errors', () => create({ url: 'x', event_types: [] })],
  [422, 'url_not_allowed', 'an edit of an unknown endpoint to an invalid URL', () => edit({ url: 'x' })],
  [422, 'url_not_allowed', 'an edit of an unknown endpoint to a forbidden address', () => edit({ url: 'https://10.0.0.1/' })],
  [422, 'event_type_unknown', 'an edit of an unknown endpoint to an unknown event type', () => edit({ event_types: ['offer.exploded'] })],
  [422, 'event_type_closed', 'an edit of an unknown endpoint to test events', () => edit({ event_types: ['webhook.test'] })],
  [404, 'not_found', 'an edit of an unknown endpoint', () => edit({ url: desk.receiver.url('/') })],
  [400, 'invalid_parameter', 'statistics since an invalid time', () => desk.api.get(`${endpointsPath}/whs_1/stats?since=yesterday`)],
  [400, 'invalid_parameter', 'events of a reversed period', () => desk.api.get(backwards('events', 'occurred'))],
  [400, 'invalid_parameter', 'deliveries of a reversed period', () => desk.api.get(backwards('deliveries', 'created'))],
  [400, 'invalid_parameter', 'an unknown filter', () => desk.api.get('/v1/webhooks/deliveries?state=failed')],
  [404, 'not_found', 'the response of an unknown delivery', () => desk.api.get(`/v1/webhooks/deliveries/${NOBODYS}/response`)],
];

describe('The service', () => {
  it.each(OF_OTHERS)('refuses with %d %s %s', async (status, code, _, ask) => {
    const reply = await ask();
    expect([reply.status, reply.body.code, reply.headers.get('content-type')]).toEqual([status, code, 'application/problem+json']);
  });

  it('refuses with 429 rate_limited the eleventh test event in a minute', async () => {
    const { id } = await desk.endpoint('/often', { event_types: ['offer.sent'] });
    for (let i = 0; i < 10; i++) expect((await desk.test(id)).status).toBe(201);
    const { status, body, headers } = await desk.test(id);
    expect([status, body.code, Number(headers.get('retry-after')) > 0]).toEqual([429, 'rate_limited', true]);
  });

  it('refuses with 422 endpoint_limit_reached an endpoint above the limit', async () => {
    const other = await Desk.in(desk.service, desk.receiver);
    const all = await Promise.all(Array.from({ length: 21 }, () => other.api.post(endpointsPath, { url: other.receiver.url('/') })));
    const refused = all.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([[422, 'endpoint_limit_reached']]);

    const forbidden = await other.api.post(endpointsPath, { url: 'https://10.0.0.1/' });
    expect([forbidden.status, forbidden.body.code]).toEqual([422, 'url_not_allowed']);
  });
});
