import { CommandBus } from '@nestjs/cqrs';
import { Views } from '../../../src/engine/reading/views.js';
import { RequestReplayJob } from '../../../src/webhooks/commands/replay-job.commands.js';
import { hang, status } from '../../support/answers.js';
import { itOnIndexes } from '../../support/real-stores/real-stores.js';
import { crowded } from '../crowded.js';
import { Desk, freshKey, OCCURRENCE, refusalOf } from '../desk.js';
import { hoursAgo, ReplayDesk } from '../replay-desk.js';

const QUICK = { WEBHOOK_RETRY_SCHEDULE: '3600', WEBHOOK_REPLAY_RATE: '1000', WEBHOOK_TIMEOUT_MS: '2000' };

describe('A replay job', () => {
  let desk: ReplayDesk;
  beforeAll(async () => void (desk = new ReplayDesk(await Desk.open(QUICK))));
  afterAll(() => desk.close());

  it('is pending after the request and returns its window', async () => {
    const { id: endpointId } = await desk.endpoint('/asked');
    const asked = { endpoint_id: endpointId, event_types: [OCCURRENCE], statuses: ['failed'], include_missed: true };
    const { status: code, body } = await desk.post({ created_from: '2026-10-22', created_to: '2026-11-20', ...asked });
    expect(code).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^whj_[0-9a-z]{26}$/),
      object: 'replay_job',
      status: 'pending',
      created_from: '2026-10-22T00:00:00.000Z',
      created_to: '2026-11-20T23:59:59.999Z',
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
    expect(await desk.ended(body.data)).toMatchObject({ status: 'completed', matched: 0 });
  });

  it('selects by default failed and abandoned deliveries of every endpoint and type up to now', async () => {
    const job = await desk.job();
    expect(job).toMatchObject({ endpoint_id: null, event_types: [], statuses: ['failed', 'abandoned'], include_missed: false });
    expect(job.created_to <= job.created_at).toBe(true);
    await desk.ended(job);
  });

  it('redelivers failed deliveries, oldest first, in records that name the job and the replayed record', async () => {
    const { endpointId, records } = await desk.refused('/refused', 3);
    desk.receiver.answers('/refused', status(200));
    const job = await desk.ended(await desk.job({ endpoint_id: endpointId }));
    expect(job).toMatchObject({
      status: 'completed',
      matched: 3,
      redelivered: 3,
      succeeded: 3,
      failed: 0,
      skipped: 0,
      skipped_reasons: {},
    });
    expect([job.created_at, job.started_at, job.completed_at]).toEqual([job.created_at, job.started_at, job.completed_at].sort());

    const made = await desk.records(`replay_job_id=${job.id}`, ({ length }) => length === 3);
    expect(made.map(({ replayed_from }) => replayed_from)).toEqual(records.map(({ id }) => id));
    for (const record of made)
      expect(record).toMatchObject({ attempt: 2, status: 'success', replay_job: { object: 'replay_job', id: job.id } });
  });

  it('counts only its own attempts, which a new retry schedule follows', async () => {
    const { endpointId, records } = await desk.refused('/fails', 1);
    desk.receiver.answers('/fails', status(500));
    const job = await desk.ended(await desk.job({ endpoint_id: endpointId }));
    expect(job).toMatchObject({ status: 'completed', matched: 1, redelivered: 1, succeeded: 0, failed: 1 });
    expect(await desk.desk.chainOf(records[0].id)).toMatchObject({ status: 'waiting', attempts: 2, automatic: 1 });
  });

  it('selects by time, type and status, without chains that have a success', async () => {
    const { endpointId, records } = await desk.refused('/chosen', 3);
    desk.receiver.answers('/chosen', status(200));
    await desk.desk.replay(records[2].id);
    const [first, second] = records;
    const matched = async (window: object) =>
      (await desk.post({ created_from: hoursAgo(1), endpoint_id: endpointId, dry_run: true, ...window })).body.data.matched;

    expect(await matched({})).toBe(2);
    expect(await matched({ created_from: first.created_at, created_to: first.created_at })).toBe(1);
    expect(await matched({ created_from: second.created_at })).toBe(1);
    expect(await matched({ created_to: first.created_at })).toBe(1);
    expect(await matched({ event_types: [OCCURRENCE, 'offer.sent'] })).toBe(2);
    expect(await matched({ event_types: ['offer.sent'] })).toBe(0);
    expect(await matched({ statuses: ['abandoned'] })).toBe(0);
  });

  it('skips deliveries that must not be sent, and counts the reasons', async () => {
    const { endpointId, records } = await desk.refused('/switched-off', 2);
    await desk.desk.edit(endpointId, { status: 'disabled' });
    const job = await desk.ended(await desk.job({ endpoint_id: endpointId }));
    expect(job).toMatchObject({ status: 'completed', matched: 2, redelivered: 0, skipped: 2, skipped_reasons: { endpoint_disabled: 2 } });
    expect(await desk.desk.chainOf(records[0].id)).toMatchObject({ heldBy: null, attempts: 1 });
  });

  it('delivers events that a disabled endpoint missed when include_missed is set', async () => {
    const { id: endpointId } = await desk.endpoint('/missed', { status: 'disabled' });
    await desk.desk.occur();
    const window = { created_from: hoursAgo(1), endpoint_id: endpointId, include_missed: true };
    const forecast = async () => (await desk.post({ ...window, dry_run: true })).body.data;
    while ((await forecast()).matched === 0) await desk.desk.list();
    expect(await forecast()).toMatchObject({ matched: 1, redelivered: 0, skipped: 1, skipped_reasons: { endpoint_disabled: 1 } });

    await desk.desk.edit(endpointId, { status: 'enabled' });
    expect((await desk.ended(await desk.job({ ...window, include_missed: false }))).matched).toBe(0);
    expect(await desk.ended(await desk.job(window))).toMatchObject({ matched: 1, redelivered: 1, succeeded: 1 });
    const [record] = await desk.records(`endpoint_id=${endpointId}`, ({ length }) => length === 1);
    expect(record).toMatchObject({ attempt: 1, status: 'success', replayed_from: null, replay_job: { object: 'replay_job' } });
    expect((await desk.ended(await desk.job(window))).matched).toBe(0);
  });

  it('reads one window of a business at a time', async () => {
    const { endpointId } = await desk.refused('/one-at-a-time', 2);
    const views = desk.desk.service.get(Views);
    const slice = views.slice.bind(views);
    const counts = { now: 0, most: 0 };
    views.slice = (...args) => {
      counts.most = Math.max(counts.most, ++counts.now);
      return slice(...args).finally(() => counts.now--);
    };
    const dryRun = { created_from: hoursAgo(1), endpoint_id: endpointId, dry_run: true };
    const answers = await Promise.all([1, 2, 3].map(() => desk.post(dryRun)));
    views.slice = slice;

    expect(answers.map(({ body }) => body.data.matched)).toEqual([2, 2, 2]);
    expect(counts.most).toBe(1);
  });

  it('stores nothing in a dry run, which returns a forecast', async () => {
    const { endpointId } = await desk.refused('/beforehand', 2);
    const before = (await desk.list()).body.data.length;
    const { status: code, body } = await desk.post({ created_from: hoursAgo(1), endpoint_id: endpointId, dry_run: true });
    expect(code).toBe(200);
    expect(body.data).toEqual({
      id: null,
      object: 'replay_job',
      status: null,
      created_from: expect.any(String),
      created_to: expect.any(String),
      endpoint_id: endpointId,
      event_types: [],
      statuses: ['failed', 'abandoned'],
      include_missed: false,
      matched: 2,
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
    expect((await desk.list()).body.data).toHaveLength(before);
  });

  it('is created once under one idempotency key', async () => {
    const { endpointId } = await desk.refused('/keyed', 1);
    const [key, body] = [freshKey(), { created_from: hoursAgo(1), endpoint_id: endpointId }];
    const first = await desk.post(body, key);
    await desk.ended(first.body.data);
    expect((await desk.post(body, key)).text).toBe(first.text);
    expect(desk.receiver.at('/keyed')).toHaveLength(2);
    expect(refusalOf(await desk.post({ ...body, include_missed: true }, key))).toMatchObject({
      status: 409,
      code: 'idempotency_key_conflict',
    });
  });

  it('is created once even if its command runs again', async () => {
    const { id: endpointId } = await desk.endpoint('/resumed');
    const [createdFrom, createdTo] = [hoursAgo(2), hoursAgo(1)];
    const window = { createdFrom, createdTo, endpointId, eventTypes: [], statuses: [], includeMissed: false };
    const command = new RequestReplayJob(desk.desk.context(), window);
    const [first, again] = [
      await desk.desk.service.get(CommandBus).execute(command),
      await desk.desk.service.get(CommandBus).execute(command),
    ];
    expect(again).toEqual(first);
    await desk.ended(first);
  });
});

describe('A request for a replay job', () => {
  let desk: ReplayDesk;
  beforeAll(async () => void (desk = new ReplayDesk(await Desk.open(QUICK))));
  afterAll(() => desk.close());

  it.each([
    [{}, 'created_from'],
    [{ created_from: 'yesterday' }, 'created_from'],
    [{ created_from: '2026-11-02', created_to: '2026-11-01' }, 'created_from'],
    [{ created_from: '2026-10-01T00:00:00.000Z', created_to: '2026-10-31T00:00:00.001Z' }, 'created_from'],
    [{ created_from: '2026-11-01', created_to: 5 }, 'created_to'],
    [{ created_from: '2026-11-01', endpoint_id: 5 }, 'endpoint_id'],
    [{ created_from: '2026-11-01', endpoint_id: 'whs_unknown' }, 'endpoint_id'],
    [{ created_from: '2026-11-01', event_types: ['nobody.heard'] }, 'event_types[0]'],
    [{ created_from: '2026-11-01', event_types: '*' }, 'event_types'],
    [{ created_from: '2026-11-01', statuses: ['success'] }, 'statuses[0]'],
    [{ created_from: '2026-11-01', statuses: [] }, 'statuses'],
    [{ created_from: '2026-11-01', include_missed: 'yes' }, 'include_missed'],
    [{ created_from: '2026-11-01', dry_run: 1 }, 'dry_run'],
  ])('is refused for the body %j', async (body, param) =>
    expect(refusalOf(await desk.post(body))).toEqual({ status: 422, code: 'validation_failed', params: [param] }),
  );

  it('is refused for an unknown field', async () =>
    expect(refusalOf(await desk.post({ created_from: '2026-11-01', status: 'failed' }))).toEqual({
      status: 422,
      code: 'unknown_parameter',
      params: ['status'],
    }));

  it('accepts a window of 30 days', async () => {
    const window = { created_from: '2026-10-01T00:00:00.000Z', created_to: '2026-10-31T00:00:00.000Z' };
    expect((await desk.post({ ...window, dry_run: true })).status).toBe(200);
  });

  it('gives the same problem for a foreign and for an unknown endpoint', async () => {
    const other = await Desk.in(desk.desk.service, desk.receiver);
    const { id } = await other.endpoint('/others');
    expect(refusalOf(await desk.post({ created_from: hoursAgo(1), endpoint_id: id }))).toEqual(
      refusalOf(await desk.post({ created_from: hoursAgo(1), endpoint_id: 'whs_unknown' })),
    );
  });

  it('is refused while another job is active for the endpoint', async () => {
    const { endpointId } = await desk.refused('/active', 1);
    const { id: free } = await desk.endpoint('/free');
    desk.receiver.answers('/active', hang());
    const job = await desk.job({ endpoint_id: endpointId });
    await desk.receiver.received('/active', 2);

    const conflict = { status: 409, code: 'replay_job_conflict', params: [] };
    expect(refusalOf(await desk.post({ created_from: hoursAgo(1), endpoint_id: endpointId }))).toEqual(conflict);
    expect(refusalOf(await desk.post({ created_from: hoursAgo(1) }))).toEqual(conflict);
    expect((await desk.post({ created_from: hoursAgo(1), endpoint_id: endpointId, dry_run: true })).status).toBe(200);
    await desk.ended(await desk.job({ endpoint_id: free }));

    await desk.ended(job);
    await desk.ended(await desk.job({ endpoint_id: endpointId }));
  });

  it('cannot be cancelled after the job has finished', async () => {
    const { id: endpointId } = await desk.endpoint('/finished');
    const job = await desk.ended(await desk.job({ endpoint_id: endpointId }));
    expect(refusalOf(await desk.cancel(job))).toEqual({ status: 422, code: 'replay_job_finished', params: [] });
  });

  it('creates a job that no other business can access', async () => {
    const job = await desk.ended(await desk.job({ endpoint_id: (await desk.endpoint('/hidden')).id }));
    const other = new ReplayDesk(await Desk.in(desk.desk.service, desk.receiver));
    expect((await other.list()).body.data).toEqual([]);
    for (const id of [job.id, 'whj_unknown', 'nonsense']) {
      expect(refusalOf(await other.get(id))).toMatchObject({ status: 404, code: 'not_found' });
      expect(refusalOf(await other.cancel({ id }))).toMatchObject({ status: 404, code: 'not_found' });
    }
  });
});

describe('A window with too many failed deliveries', () => {
  const window = { created_from: '2026-05-05', created_to: '2026-05-05' };
  const tooLarge = { status: 422, code: 'window_too_large', params: [] };

  itOnIndexes('is refused in a dry run and, after the check for conflicts, in a request, and leaves no lock', async () => {
    const desk = new ReplayDesk(await Desk.open(QUICK));
    await crowded(desk.desk.service, desk.desk.business.id, window.created_from);
    expect(refusalOf(await desk.post({ ...window, dry_run: true }))).toEqual(tooLarge);

    const { endpointId } = await desk.refused('/first', 1);
    desk.receiver.answers('/first', hang());
    const active = await desk.job({ endpoint_id: endpointId });
    await desk.receiver.received('/first', 2);
    expect(refusalOf(await desk.post(window))).toMatchObject({ status: 409, code: 'replay_job_conflict' });
    await desk.ended(active);

    expect(refusalOf(await desk.post(window))).toEqual(tooLarge);
    await desk.ended(await desk.job());
    await desk.close();
  });
});

describe('The list of replay jobs', () => {
  it('is paged with a cursor, newest first', async () => {
    const desk = new ReplayDesk(await Desk.open(QUICK));
    const { id: endpoint_id } = await desk.endpoint('/listed');
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await desk.ended(await desk.job({ endpoint_id }))).id);

    const { body: first } = await desk.list('limit=2');
    const { body: last } = await desk.list(`limit=2&after=${first.pagination.next_cursor}`);
    expect([...first.data, ...last.data].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect([first.pagination.has_more, last.pagination]).toEqual([true, { next_cursor: null, has_more: false }]);
    for (const query of ['limit=0', 'after=forged', 'page=1']) {
      expect(refusalOf(await desk.list(query))).toMatchObject({ status: 400, code: 'invalid_parameter' });
    }
    await desk.close();
  });
});
