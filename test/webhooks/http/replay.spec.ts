import { CommandBus } from '@nestjs/cqrs';
import { Streams } from '../../../src/engine/streams/streams.js';
import { ReplayDelivery } from '../../../src/webhooks/commands/replay.commands.js';
import { chain } from '../../../src/webhooks/domain/chain.js';
import { hang, status } from '../../support/answers.js';
import { Desk, eventually, freshKey, OCCURRENCE, refusalOf } from '../desk.js';

type Record = { id: string; attempt: number; status: string; replayed_from: string | null };
const attempts = (records: readonly Record[]) => records.map(({ attempt, status }) => [attempt, status]);

describe('A replay', () => {
  let desk: Desk;
  beforeAll(async () => void (desk = await Desk.open({ WEBHOOK_RETRY_SCHEDULE: '1', WEBHOOK_TIMEOUT_MS: '2000' })));
  afterAll(() => desk.close());

  /** Creates an endpoint at this path and publishes an event. Returns the record of the first attempt. */
  async function delivered(path: string) {
    const { id: endpointId } = await desk.endpoint(path, { event_types: [OCCURRENCE] });
    await desk.occur();
    const [record] = await desk.records(`endpoint_id=${endpointId}`, ({ length }) => length === 1);
    return { endpointId, record, chain: `endpoint_id=${endpointId}` };
  }

  it('creates a new record of the same event for any response', async () => {
    desk.receiver.answers('/new', status(410), status(418));
    const { record } = await delivered('/new');
    const { status: code, body } = await desk.replay(record.id);
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
    expect((await desk.api.get(`/v1/webhooks/deliveries/${body.data.id}`)).body.data).toEqual(body.data);

    const [first, second] = desk.receiver.at('/new').map(({ body: sent }) => JSON.parse(sent));
    expect(second).toEqual({ ...first, attempt: 2, delivery_id: body.data.id, created_at: body.data.created_at });
  });

  it('happens once under one idempotency key', async () => {
    const { record } = await delivered('/keyed');
    const key = freshKey();
    const first = await desk.replay(record.id, key);
    expect((await desk.replay(record.id, key)).text).toBe(first.text);
    expect(desk.receiver.at('/keyed')).toHaveLength(2);
  });

  it('is lost when its lease has expired after a crash, and is not sent again', async () => {
    const { record } = await delivered('/cut-off');
    const context = desk.context();
    const { chainId } = (await desk.chainOf(record.id)).facts;
    const start = { type: 'Replay', attempt: 1, target: { status: 'enabled', disabledTimes: 0 }, leaseMs: 300 } as const;
    await desk.service.get(Streams).execute(chain, chainId, start, context);

    const resumed = await desk.service.get(CommandBus).execute(new ReplayDelivery(context, record.id));
    expect(resumed).toMatchObject({ attempt: 2, status: 'failed', response_status: null, replayed_from: record.id });
    expect(desk.receiver.at('/cut-off')).toHaveLength(1);
  });

  it('is sent once when two requests race', async () => {
    desk.receiver.answers('/race', status(400), hang());
    const { record } = await delivered('/race');
    const replies = await Promise.all([desk.replay(record.id), desk.replay(record.id), desk.replay(record.id)]);
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409, 409]);
    expect(replies.filter((reply) => reply.status === 409).map(refusalOf)).toContainEqual({
      status: 409,
      code: 'delivery_in_progress',
      params: [],
    });
    expect(desk.receiver.at('/race')).toHaveLength(2);
  });

  it('does not change a waiting retry when it fails', async () => {
    desk.receiver.answers('/waiting', status(500), status(500), status(200));
    const { record, chain } = await delivered('/waiting');
    expect((await desk.replay(record.id)).body.data).toMatchObject({ attempt: 2, status: 'failed' });
    const records = await desk.records(chain, ({ length }) => length === 3);
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
    desk.receiver.answers(path, status(500), status(code));
    const { record } = await delivered(path);
    expect(await desk.chainOf(record.id)).toMatchObject({ status: 'waiting', attempts: 1 });
    await desk.replay(record.id);
    expect(await desk.chainOf(record.id)).toMatchObject({ status: 'ended', attempts: 2 });
  });

  it('never sends at the same time as a retry', async () => {
    desk.receiver.answers('/beside', status(500), hang(), status(200));
    const { record, chain } = await delivered('/beside');
    const replay = await desk.replay(record.id);
    expect(replay.body.data).toMatchObject({ attempt: 2, status: 'failed', response_status: null });

    const records = await desk.records(chain, ({ length }) => length === 3);
    expect(attempts(records)).toEqual([
      [1, 'failed'],
      [2, 'failed'],
      [3, 'success'],
    ]);
    const [, second, third] = desk.receiver.at('/beside');
    expect(third!.receivedAt - second!.receivedAt).toBeGreaterThanOrEqual(1_900);
  });

  it('is not followed by a retry', async () => {
    desk.receiver.answers('/alone', status(400), status(500));
    const { record } = await delivered('/alone');
    const { id } = (await desk.replay(record.id)).body.data;
    expect((await desk.replay(id)).body.data).toMatchObject({ attempt: 3, status: 'failed', replayed_from: id });
  });

  it('is refused while the endpoint is disabled and after it was deleted', async () => {
    const { record, endpointId } = await delivered('/disabled');
    await desk.edit(endpointId, { status: 'disabled' });
    expect(refusalOf(await desk.replay(record.id))).toMatchObject({ status: 422, code: 'endpoint_disabled' });

    await desk.api.delete(`/v1/webhooks/endpoints/${endpointId}`);
    const reply = await desk.replay(record.id);
    expect([reply.status, reply.body.code, reply.body.detail]).toEqual([422, 'endpoint_disabled', expect.stringContaining('deleted')]);
  });

  it('is refused while the delivery is being sent', async () => {
    desk.receiver.answers('/sending', hang());
    await desk.endpoint('/sending', { event_types: [OCCURRENCE] });
    await desk.occur();
    const [sent] = await desk.receiver.received('/sending');
    expect(refusalOf(await desk.replay(JSON.parse(sent!.body).delivery_id))).toMatchObject({ status: 409, code: 'delivery_in_progress' });
  });

  it('counts towards the limit of attempts', async () => {
    const { record } = await delivered('/used-up');
    for (let attempt = 2; attempt <= 20; attempt++) expect((await desk.replay(record.id)).body.data).toMatchObject({ attempt });
    expect(refusalOf(await desk.replay(record.id))).toMatchObject({ status: 422, code: 'attempts_exhausted' });
  });

  it.each(['whd_unknown', 'whd_01m7z805vc38mc1kg7tbkq01', 'whs_01m7z805vc38mc1kg7tbkq01'])(
    'is refused with not_found for the id %s',
    async (id) => expect(refusalOf(await desk.replay(id))).toMatchObject({ status: 404, code: 'not_found' }),
  );

  it('is possible only for the own business and with a key', async () => {
    const { record } = await delivered('/own');
    const other = await Desk.in(desk.service, desk.receiver);
    expect(refusalOf(await other.replay(record.id))).toMatchObject({ status: 404, code: 'not_found' });
    const unkeyed = await desk.api.post(`/v1/webhooks/deliveries/${record.id}/replay`);
    expect(refusalOf(unkeyed)).toMatchObject({ status: 400, code: 'idempotency_key_required' });
    const odd = await desk.api.post(`/v1/webhooks/deliveries/${record.id}/replay`, { now: true }, freshKey());
    expect(refusalOf(odd)).toEqual({ status: 422, code: 'unknown_parameter', params: ['now'] });
    expect(await eventually(async () => desk.receiver.at('/own').length)).toBe(1);
  });
});
