import { CommandBus } from '@nestjs/cqrs';
import { ReadModelReader } from '../../../src/engine/read-models/read-model-reader.js';
import { RequestReplayJob } from '../../../src/webhooks/commands/replay-job.commands.js';
import { itOnIndexes } from '../../support/external-stores/external-stores.js';
import { hang, respondWith } from '../../support/receiver-responses.js';
import { hoursAgo, ReplayFixture } from '../replay-fixture.js';
import { seedTooManyChains } from '../seed-too-many.js';
import { newIdempotencyKey, PUBLISHED_TYPE, toProblem, WebhookFixture } from '../webhook-fixture.js';

const QUICK = { WEBHOOK_RETRY_SCHEDULE: '3600', WEBHOOK_REPLAY_RATE: '1000', WEBHOOK_TIMEOUT_MS: '2000' };

describe('A replay job', () => {
  let fixture: ReplayFixture;
  beforeAll(async () => void (fixture = new ReplayFixture(await WebhookFixture.start(QUICK))));
  afterAll(() => fixture.close());

  it('is pending after the request and returns its window', async () => {
    const { id: endpointId } = await fixture.createEndpoint('/asked');
    const asked = {
      endpoint_id: endpointId,
      event_types: [PUBLISHED_TYPE],
      statuses: ['failed'],
      include_missed: true,
    };
    const { status: code, body } = await fixture.post({
      created_from: '2026-10-22',
      created_to: '2026-11-20',
      ...asked,
    });
    expect(code).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^whj_[0-9a-z]{26}$/),
      object: 'replay_job',
      status: 'pending',
      created_from: '2026-10-22T00:00:00.000Z',
      created_to: '2026-11-20T23:59:59.999Z',
      scope: 'failed',
      ...asked,
      matched: null,
      redelivered: 0,
      succeeded: 0,
      failed: 0,
      skipped: 0,
      skipped_reasons: {},
      created_at: expect.any(String),
      started_at: null,
      completed_at: null,
      cancelled_at: null,
      error: null,
    });
    expect(await fixture.waitForEnd(body.data)).toMatchObject({ status: 'completed', matched: 0 });
  });

  it('selects by default failed and abandoned deliveries of every endpoint and type up to now', async () => {
    const job = await fixture.createJob();
    expect(job).toMatchObject({
      endpoint_id: null,
      event_types: [],
      statuses: ['failed', 'abandoned'],
      include_missed: false,
    });
    expect(job.created_to <= job.created_at).toBe(true);
    await fixture.waitForEnd(job);
  });

  it('redelivers failed deliveries, oldest first, in records that name the job and the replayed record', async () => {
    const { endpointId, records } = await fixture.createRefusedDeliveries('/refused', 3);
    fixture.receiver.setResponses('/refused', respondWith(200));
    const job = await fixture.waitForEnd(await fixture.createJob({ endpoint_id: endpointId }));
    expect(job).toMatchObject({
      status: 'completed',
      matched: 3,
      redelivered: 3,
      succeeded: 3,
      failed: 0,
      skipped: 0,
      skipped_reasons: {},
    });
    expect([job.created_at, job.started_at, job.completed_at]).toEqual(
      [job.created_at, job.started_at, job.completed_at].sort(),
    );

    const made = await fixture.waitForRecords(`replay_job_id=${job.id}`, ({ length }) => length === 3);
    expect(made.map(({ replayed_from }) => replayed_from)).toEqual(records.map(({ id }) => id));
    for (const record of made)
      expect(record).toMatchObject({ attempt: 2, status: 'success', replay_job: { object: 'replay_job', id: job.id } });
  });

  it('counts only its own attempts, which a new retry schedule follows', async () => {
    const { endpointId, records } = await fixture.createRefusedDeliveries('/fails', 1);
    fixture.receiver.setResponses('/fails', respondWith(500));
    const job = await fixture.waitForEnd(await fixture.createJob({ endpoint_id: endpointId }));
    expect(job).toMatchObject({ status: 'completed', matched: 1, redelivered: 1, succeeded: 0, failed: 1 });
    expect(await fixture.webhooks.readChain(records[0].id)).toMatchObject({
      status: 'waiting',
      attempts: 2,
      automatic: 1,
    });
  });

  it('selects by time, type and status, without chains that have a success', async () => {
    const { endpointId, records } = await fixture.createRefusedDeliveries('/chosen', 3);
    fixture.receiver.setResponses('/chosen', respondWith(200));
    await fixture.webhooks.replayDelivery(records[2].id);
    const [first, second] = records;
    const matched = async (window: object) =>
      (await fixture.post({ created_from: hoursAgo(1), endpoint_id: endpointId, dry_run: true, ...window })).body.data
        .matched;

    expect(await matched({})).toBe(2);
    expect(await matched({ created_from: first.created_at, created_to: first.created_at })).toBe(1);
    expect(await matched({ created_from: second.created_at })).toBe(1);
    expect(await matched({ created_to: first.created_at })).toBe(1);
    expect(await matched({ event_types: [PUBLISHED_TYPE, 'offer.sent'] })).toBe(2);
    expect(await matched({ event_types: ['offer.sent'] })).toBe(0);
    expect(await matched({ statuses: ['abandoned'] })).toBe(0);
  });

  it('selects by scope chains whose last delivery succeeded, or all', async () => {
    const { endpointId, records } = await fixture.createRefusedDeliveries('/scopes', 3);
    fixture.receiver.setResponses('/scopes', respondWith(200));
    await fixture.webhooks.replayDelivery(records[0].id);
    const forecast = async (scope: string) => {
      const body = { created_from: '1970-01-01', endpoint_id: endpointId, scope, dry_run: true };
      const { matched, matched_by_type, statuses } = (await fixture.post(body)).body.data;
      return { matched, matched_by_type, statuses };
    };
    expect(await forecast('failed')).toMatchObject({ matched: 2, statuses: ['failed', 'abandoned'] });
    expect(await forecast('succeeded')).toEqual({ matched: 1, matched_by_type: { [PUBLISHED_TYPE]: 1 }, statuses: [] });
    expect(await forecast('all')).toEqual({ matched: 3, matched_by_type: { [PUBLISHED_TYPE]: 3 }, statuses: [] });

    const succeeded = await fixture.createJob({ endpoint_id: endpointId, scope: 'succeeded' });
    expect(await fixture.waitForEnd(succeeded)).toMatchObject({ status: 'completed', matched: 1, succeeded: 1 });
    const [again] = await fixture.waitForRecords(`replay_job_id=${succeeded.id}`, ({ length }) => length === 1);
    expect(again).toMatchObject({ attempt: 3, event_id: records[0].event_id });
    const all = await fixture.waitForEnd(await fixture.createJob({ endpoint_id: endpointId, scope: 'all' }));
    expect(all).toMatchObject({ scope: 'all', matched: 3, redelivered: 3, succeeded: 3 });
    expect(await forecast('succeeded')).toMatchObject({ matched: 3 });
  });

  it('skips deliveries that must not be sent, and counts the reasons', async () => {
    const { endpointId, records } = await fixture.createRefusedDeliveries('/switched-off', 2);
    await fixture.webhooks.editEndpoint(endpointId, { status: 'disabled' });
    const job = await fixture.waitForEnd(await fixture.createJob({ endpoint_id: endpointId }));
    expect(job).toMatchObject({
      status: 'completed',
      matched: 2,
      redelivered: 0,
      skipped: 2,
      skipped_reasons: { endpoint_disabled: 2 },
    });
    expect(await fixture.webhooks.readChain(records[0].id)).toMatchObject({ heldBy: null, attempts: 1 });
  });

  it('delivers events that a disabled endpoint missed when include_missed is set', async () => {
    const { id: endpointId } = await fixture.createEndpoint('/missed', { status: 'disabled' });
    await fixture.webhooks.publish();
    const window = { created_from: hoursAgo(1), endpoint_id: endpointId, include_missed: true };
    const forecast = async () => (await fixture.post({ ...window, dry_run: true })).body.data;
    while ((await forecast()).matched === 0) await fixture.webhooks.listDeliveries();
    expect(await forecast()).toMatchObject({
      matched: 1,
      redelivered: 0,
      skipped: 1,
      skipped_reasons: { endpoint_disabled: 1 },
    });

    await fixture.webhooks.editEndpoint(endpointId, { status: 'enabled' });
    expect((await fixture.waitForEnd(await fixture.createJob({ ...window, include_missed: false }))).matched).toBe(0);
    expect(await fixture.waitForEnd(await fixture.createJob(window))).toMatchObject({
      matched: 1,
      redelivered: 1,
      succeeded: 1,
    });
    const [record] = await fixture.waitForRecords(`endpoint_id=${endpointId}`, ({ length }) => length === 1);
    expect(record).toMatchObject({
      attempt: 1,
      status: 'success',
      replayed_from: null,
      replay_job: { object: 'replay_job' },
    });
    expect((await fixture.waitForEnd(await fixture.createJob(window))).matched).toBe(0);
  });

  it('reads one window of a business at a time', async () => {
    const { endpointId } = await fixture.createRefusedDeliveries('/one-at-a-time', 2);
    const views = fixture.webhooks.service.get(ReadModelReader);
    const slice = views.getSlice.bind(views);
    const counts = { now: 0, most: 0 };
    views.getSlice = (...args) => {
      counts.most = Math.max(counts.most, ++counts.now);
      return slice(...args).finally(() => counts.now--);
    };
    const dryRun = { created_from: hoursAgo(1), endpoint_id: endpointId, dry_run: true };
    const answers = await Promise.all([1, 2, 3].map(() => fixture.post(dryRun)));
    views.getSlice = slice;

    expect(answers.map(({ body }) => body.data.matched)).toEqual([2, 2, 2]);
    expect(counts.most).toBe(1);
  });

  it('stores nothing in a dry run, which returns a forecast', async () => {
    const { endpointId } = await fixture.createRefusedDeliveries('/beforehand', 2);
    const before = (await fixture.list()).body.data.length;
    const { status: code, body } = await fixture.post({
      created_from: hoursAgo(1),
      endpoint_id: endpointId,
      dry_run: true,
    });
    expect(code).toBe(200);
    expect(body.data).toEqual({
      id: null,
      object: 'replay_job',
      status: null,
      created_from: expect.any(String),
      created_to: expect.any(String),
      scope: 'failed',
      endpoint_id: endpointId,
      event_types: [],
      statuses: ['failed', 'abandoned'],
      include_missed: false,
      matched: 2,
      matched_by_type: { [PUBLISHED_TYPE]: 2 },
      redelivered: 2,
      succeeded: 0,
      failed: 0,
      skipped: 0,
      skipped_reasons: {},
      created_at: null,
      started_at: null,
      completed_at: null,
      cancelled_at: null,
      error: null,
    });
    expect((await fixture.list()).body.data).toHaveLength(before);
  });

  it('is created once under one idempotency key', async () => {
    const { endpointId } = await fixture.createRefusedDeliveries('/keyed', 1);
    const [key, body] = [newIdempotencyKey(), { created_from: hoursAgo(1), endpoint_id: endpointId }];
    const first = await fixture.post(body, key);
    await fixture.waitForEnd(first.body.data);
    expect((await fixture.post(body, key)).text).toBe(first.text);
    expect(fixture.receiver.requestsFor('/keyed')).toHaveLength(2);
    expect(toProblem(await fixture.post({ ...body, include_missed: true }, key))).toMatchObject({
      status: 409,
      code: 'idempotency_key_conflict',
    });
  });

  it('is created once even if its command runs again', async () => {
    const { id: endpointId } = await fixture.createEndpoint('/resumed');
    const [createdFrom, createdTo] = [hoursAgo(2), hoursAgo(1)];
    const window = { createdFrom, createdTo, endpointId, eventTypes: [], statuses: [], includeMissed: false };
    const facts = { ...window, scope: 'failed' } as const;
    const command = new RequestReplayJob(fixture.webhooks.createContext(), facts);
    const [first, again] = [
      await fixture.webhooks.service.get(CommandBus).execute(command),
      await fixture.webhooks.service.get(CommandBus).execute(command),
    ];
    expect(again).toEqual(first);
    await fixture.waitForEnd(first);
  });
});

describe('A request for a replay job', () => {
  let fixture: ReplayFixture;
  beforeAll(async () => void (fixture = new ReplayFixture(await WebhookFixture.start(QUICK))));
  afterAll(() => fixture.close());

  it.each([
    [{}, 'created_from'],
    [{ created_from: 'yesterday' }, 'created_from'],
    [{ created_from: '2026-11-02', created_to: '2026-11-01' }, 'created_from'],
    [{ created_from: '2026-11-01', created_to: 5 }, 'created_to'],
    [{ created_from: '2026-11-01', endpoint_id: 5 }, 'endpoint_id'],
    [{ created_from: '2026-11-01', endpoint_id: 'whs_unknown' }, 'endpoint_id'],
    [{ created_from: '2026-11-01', event_types: ['nobody.heard'] }, 'event_types[0]'],
    [{ created_from: '2026-11-01', event_types: '*' }, 'event_types'],
    [{ created_from: '2026-11-01', statuses: ['success'] }, 'statuses[0]'],
    [{ created_from: '2026-11-01', statuses: [] }, 'statuses'],
    [{ created_from: '2026-11-01', include_missed: 'yes' }, 'include_missed'],
    [{ created_from: '2026-11-01', scope: 'every' }, 'scope'],
    [{ created_from: '2026-11-01', scope: null }, 'scope'],
    [{ created_from: '2026-11-01', scope: 'never_planned' }, 'endpoint_id'],
    [{ created_from: '2026-11-01', scope: 'all', statuses: ['failed'] }, 'statuses'],
    [{ created_from: '2026-11-01', scope: 'succeeded', include_missed: true }, 'include_missed'],
    [{ created_from: '2026-11-01', dry_run: 1 }, 'dry_run'],
  ])('is refused for the body %j', async (body, param) =>
    expect(toProblem(await fixture.post(body))).toEqual({ status: 422, code: 'validation_failed', params: [param] }),
  );

  it('is refused for an unknown field', async () =>
    expect(toProblem(await fixture.post({ created_from: '2026-11-01', status: 'failed' }))).toEqual({
      status: 422,
      code: 'unknown_parameter',
      params: ['status'],
    }));

  it('accepts a window that begins before the log', async () =>
    expect((await fixture.post({ created_from: '1970-01-01', dry_run: true })).status).toBe(200));

  it('gives the same problem for a foreign and for an unknown endpoint', async () => {
    const other = await WebhookFixture.addBusiness(fixture.webhooks.service, fixture.receiver);
    const { id } = await other.createEndpoint('/others');
    expect(toProblem(await fixture.post({ created_from: hoursAgo(1), endpoint_id: id }))).toEqual(
      toProblem(await fixture.post({ created_from: hoursAgo(1), endpoint_id: 'whs_unknown' })),
    );
  });

  it('is refused while another job is active for the endpoint', async () => {
    const { endpointId } = await fixture.createRefusedDeliveries('/active', 1);
    const { id: free } = await fixture.createEndpoint('/free');
    fixture.receiver.setResponses('/active', hang());
    const job = await fixture.createJob({ endpoint_id: endpointId });
    await fixture.receiver.waitForRequests('/active', 2);

    const conflict = { status: 409, code: 'replay_job_conflict', params: [] };
    expect(toProblem(await fixture.post({ created_from: hoursAgo(1), endpoint_id: endpointId }))).toEqual(conflict);
    expect(toProblem(await fixture.post({ created_from: hoursAgo(1) }))).toEqual(conflict);
    expect((await fixture.post({ created_from: hoursAgo(1), endpoint_id: endpointId, dry_run: true })).status).toBe(
      200,
    );
    await fixture.waitForEnd(await fixture.createJob({ endpoint_id: free }));

    await fixture.waitForEnd(job);
    await fixture.waitForEnd(await fixture.createJob({ endpoint_id: endpointId }));
  });

  it('cannot be cancelled after the job has finished', async () => {
    const { id: endpointId } = await fixture.createEndpoint('/finished');
    const job = await fixture.waitForEnd(await fixture.createJob({ endpoint_id: endpointId }));
    expect(toProblem(await fixture.cancel(job))).toEqual({ status: 422, code: 'replay_job_finished', params: [] });
  });

  it('creates a job that no other business can access', async () => {
    const job = await fixture.waitForEnd(
      await fixture.createJob({ endpoint_id: (await fixture.createEndpoint('/hidden')).id }),
    );
    const other = new ReplayFixture(await WebhookFixture.addBusiness(fixture.webhooks.service, fixture.receiver));
    expect((await other.list()).body.data).toEqual([]);
    for (const id of [job.id, 'whj_unknown', 'nonsense']) {
      expect(toProblem(await other.get(id))).toMatchObject({ status: 404, code: 'not_found' });
      expect(toProblem(await other.cancel({ id }))).toMatchObject({ status: 404, code: 'not_found' });
    }
  });
});

describe('A window with too many failed deliveries', () => {
  const window = { created_from: '2026-05-05', created_to: '2026-05-05' };
  const tooLarge = { status: 422, code: 'window_too_large', params: [] };

  itOnIndexes(
    'is refused in a dry run and, after the check for conflicts, in a request, and leaves no lock',
    async () => {
      const fixture = new ReplayFixture(await WebhookFixture.start(QUICK));
      await seedTooManyChains(fixture.webhooks.service, fixture.webhooks.business.id, window.created_from);
      expect(toProblem(await fixture.post({ ...window, dry_run: true }))).toEqual(tooLarge);

      const { endpointId } = await fixture.createRefusedDeliveries('/first', 1);
      fixture.receiver.setResponses('/first', hang());
      const active = await fixture.createJob({ endpoint_id: endpointId });
      await fixture.receiver.waitForRequests('/first', 2);
      expect(toProblem(await fixture.post(window))).toMatchObject({ status: 409, code: 'replay_job_conflict' });
      await fixture.waitForEnd(active);

      expect(toProblem(await fixture.post(window))).toEqual(tooLarge);
      await fixture.waitForEnd(await fixture.createJob());
      await fixture.close();
    },
  );
});

describe('The list of replay jobs', () => {
  it('is paged with a cursor, newest first', async () => {
    const fixture = new ReplayFixture(await WebhookFixture.start(QUICK));
    const { id: endpoint_id } = await fixture.createEndpoint('/listed');
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await fixture.waitForEnd(await fixture.createJob({ endpoint_id }))).id);

    const { body: first } = await fixture.list('limit=2');
    const { body: last } = await fixture.list(`limit=2&after=${first.pagination.next_cursor}`);
    expect([...first.data, ...last.data].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect([first.pagination.has_more, last.pagination]).toEqual([true, { next_cursor: null, has_more: false }]);
    for (const query of ['limit=0', 'after=forged', 'page=1']) {
      expect(toProblem(await fixture.list(query))).toMatchObject({ status: 400, code: 'invalid_parameter' });
    }
    await fixture.close();
  });
});
