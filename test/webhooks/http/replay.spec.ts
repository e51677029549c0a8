import { CommandBus } from '@nestjs/cqrs';
import { Streams } from '../../../src/engine/streams/streams.js';
import { ReplayDelivery } from '../../../src/webhooks/commands/replay.commands.js';
import { deliveryChainDecider } from '../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import { hang, respondWith } from '../../support/receiver-responses.js';
import { newIdempotencyKey, PUBLISHED_TYPE, toProblem, waitFor, WebhookFixture } from '../webhook-fixture.js';

type DeliveryRecord = { id: string; attempt: number; status: string; replayed_from: string | null };
const attempts = (records: readonly DeliveryRecord[]) => records.map(({ attempt, status }) => [attempt, status]);

describe('A replay', () => {
  let fixture: WebhookFixture;
  beforeAll(
    async () =>
      void (fixture = await WebhookFixture.start({ WEBHOOK_RETRY_SCHEDULE: '1', WEBHOOK_TIMEOUT_MS: '2000' })),
  );
  afterAll(() => fixture.close());

  /** Creates an endpoint at this path and publishes an event. Returns the record of the first attempt. */
  async function deliver(path: string) {
    const { id: endpointId } = await fixture.createEndpoint(path, { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    const [record] = await fixture.waitForRecords(`endpoint_id=${endpointId}`, ({ length }) => length === 1);
    return { endpointId, record, chain: `endpoint_id=${endpointId}` };
  }

  it('creates a new record of the same event for any response', async () => {
    fixture.receiver.setResponses('/new', respondWith(410), respondWith(418));
    const { record } = await deliver('/new');
    const { status: code, body } = await fixture.replayDelivery(record.id);
    expect(code).toBe(201);
    expect(body.data).toEqual({
      ...record,
      id: expect.not.stringMatching(record.id),
      attempt: 2,
      response_status: 418,
      failure: { reason: 'client_error', detail: 'The receiver answered with status 418.' },
      duration_ms: expect.any(Number),
      created_at: expect.any(String),
      replayed_from: record.id,
    });
    expect((await fixture.api.get(`/v1/webhooks/deliveries/${body.data.id}`)).body.data).toEqual(body.data);

    const [first, second] = fixture.receiver.requestsFor('/new').map(({ body: sent }) => JSON.parse(sent));
    expect(second).toEqual({ ...first, attempt: 2, delivery_id: body.data.id, created_at: body.data.created_at });
  });

  it('happens once under one idempotency key', async () => {
    const { record } = await deliver('/keyed');
    const key = newIdempotencyKey();
    const first = await fixture.replayDelivery(record.id, key);
    expect((await fixture.replayDelivery(record.id, key)).text).toBe(first.text);
    expect(fixture.receiver.requestsFor('/keyed')).toHaveLength(2);
  });

  it('is lost when its lease has expired after a crash, and is not sent again', async () => {
    const { record } = await deliver('/cut-off');
    const context = fixture.createContext();
    const { chainId } = (await fixture.readChain(record.id)).facts;
    const start = {
      type: 'Replay',
      attempt: 1,
      endpointState: { status: 'enabled', disabledTimes: 0 },
      leaseMs: 300,
    } as const;
    await fixture.service.get(Streams).execute(deliveryChainDecider, chainId, start, context);

    const resumed = await fixture.service
      .get(CommandBus)
      .execute(new ReplayDelivery(context, { deliveryId: record.id }));
    expect(resumed).toMatchObject({ attempt: 2, status: 'failed', response_status: null, replayed_from: record.id });
    expect(fixture.receiver.requestsFor('/cut-off')).toHaveLength(1);
  });

  it('is sent once when two requests race', async () => {
    fixture.receiver.setResponses('/race', respondWith(400), hang());
    const { record } = await deliver('/race');
    const replies = await Promise.all([
      fixture.replayDelivery(record.id),
      fixture.replayDelivery(record.id),
      fixture.replayDelivery(record.id),
    ]);
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409, 409]);
    expect(replies.filter((reply) => reply.status === 409).map(toProblem)).toContainEqual({
      status: 409,
      code: 'delivery_in_progress',
      params: [],
    });
    expect(fixture.receiver.requestsFor('/race')).toHaveLength(2);
  });

  it('does not change a waiting retry when it fails', async () => {
    fixture.receiver.setResponses('/waiting', respondWith(500), respondWith(500), respondWith(200));
    const { record, chain } = await deliver('/waiting');
    expect((await fixture.replayDelivery(record.id)).body.data).toMatchObject({ attempt: 2, status: 'failed' });
    const records = await fixture.waitForRecords(chain, ({ length }) => length === 3);
    expect(attempts(records)).toEqual([
      [1, 'failed'],
      [2, 'failed'],
      [3, 'success'],
    ]);
    expect(Date.parse(records[2].created_at) - Date.parse(records[0].created_at)).toBeGreaterThanOrEqual(1_000);
  });

  it.each([
    ['a 2xx', 204],
    ['a 4xx', 404],
  ])('cancels a waiting retry when it gets %s', async (_, code) => {
    const path = `/cancelled-${code}`;
    fixture.receiver.setResponses(path, respondWith(500), respondWith(code));
    const { record } = await deliver(path);
    expect(await fixture.readChain(record.id)).toMatchObject({ status: 'waiting', attempts: 1 });
    await fixture.replayDelivery(record.id);
    expect(await fixture.readChain(record.id)).toMatchObject({ status: 'ended', attempts: 2 });
  });

  it('never sends at the same time as a retry', async () => {
    fixture.receiver.setResponses('/beside', respondWith(500), hang(), respondWith(200));
    const { record, chain } = await deliver('/beside');
    const replay = await fixture.replayDelivery(record.id);
    expect(replay.body.data).toMatchObject({ attempt: 2, status: 'failed', response_status: null });

    const records = await fixture.waitForRecords(chain, ({ length }) => length === 3);
    expect(attempts(records)).toEqual([
      [1, 'failed'],
      [2, 'failed'],
      [3, 'success'],
    ]);
    const [, second, third] = fixture.receiver.requestsFor('/beside');
    expect(third!.receivedAt - second!.receivedAt).toBeGreaterThanOrEqual(1_900);
  });

  it('is not followed by a retry', async () => {
    fixture.receiver.setResponses('/alone', respondWith(400), respondWith(500));
    const { record } = await deliver('/alone');
    const { id } = (await fixture.replayDelivery(record.id)).body.data;
    expect((await fixture.replayDelivery(id)).body.data).toMatchObject({
      attempt: 3,
      status: 'failed',
      replayed_from: id,
    });
  });

  it('is refused while the endpoint is disabled and after it was deleted', async () => {
    const { record, endpointId } = await deliver('/disabled');
    await fixture.editEndpoint(endpointId, { status: 'disabled' });
    expect(toProblem(await fixture.replayDelivery(record.id))).toMatchObject({
      status: 422,
      code: 'endpoint_disabled',
    });

    await fixture.api.delete(`/v1/webhooks/endpoints/${endpointId}`);
    const reply = await fixture.replayDelivery(record.id);
    expect([reply.status, reply.body.code, reply.body.detail]).toEqual([
      422,
      'endpoint_disabled',
      expect.stringContaining('deleted'),
    ]);
  });

  it('is refused while the delivery is being sent', async () => {
    fixture.receiver.setResponses('/sending', hang());
    await fixture.createEndpoint('/sending', { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    const [sent] = await fixture.receiver.waitForRequests('/sending');
    expect(toProblem(await fixture.replayDelivery(JSON.parse(sent!.body).delivery_id))).toMatchObject({
      status: 409,
      code: 'delivery_in_progress',
    });
  });

  it('counts towards the limit of attempts', async () => {
    const { record } = await deliver('/used-up');
    for (let attempt = 2; attempt <= 20; attempt++)
      expect((await fixture.replayDelivery(record.id)).body.data).toMatchObject({ attempt });
    expect(toProblem(await fixture.replayDelivery(record.id))).toMatchObject({
      status: 422,
      code: 'attempts_exhausted',
    });
  });

  it.each(['whd_unknown', 'whd_01m7z805vc38mc1kg7tbkq01', 'whs_01m7z805vc38mc1kg7tbkq01'])(
    'is refused with not_found for the id %s',
    async (id) => expect(toProblem(await fixture.replayDelivery(id))).toMatchObject({ status: 404, code: 'not_found' }),
  );

  it('is possible only for the own business and with a key', async () => {
    const { record } = await deliver('/own');
    const other = await WebhookFixture.addBusiness(fixture.service, fixture.receiver);
    expect(toProblem(await other.replayDelivery(record.id))).toMatchObject({ status: 404, code: 'not_found' });
    const unkeyed = await fixture.api.post(`/v1/webhooks/deliveries/${record.id}/replay`);
    expect(toProblem(unkeyed)).toMatchObject({ status: 400, code: 'idempotency_key_required' });
    const odd = await fixture.api.post(
      `/v1/webhooks/deliveries/${record.id}/replay`,
      { now: true },
      newIdempotencyKey(),
    );
    expect(toProblem(odd)).toEqual({ status: 422, code: 'unknown_parameter', params: ['now'] });
    expect(await waitFor(async () => fixture.receiver.requestsFor('/own').length)).toBe(1);
  });
});
