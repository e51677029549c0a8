import { Webhook } from 'standardwebhooks';
import { Jobs } from '../../../src/kernel/jobs.js';
import { DeliverAttempts } from '../../../src/webhooks/processes/deliver-attempts.js';
import { drip, gzipBomb, hang, huge, redirect, reset, status } from '../../support/answers.js';
import { Desk, eventually, OCCURRENCE } from '../desk.js';
import { leftOpen } from '../left-open.js';

const ENDED = ['success', 'failed', 'abandoned'];

describe('The delivery of events', () => {
  let desk: Desk;
  beforeAll(async () => void (desk = await Desk.open({ WEBHOOK_RETRY_SCHEDULE: '0.1,0.1,0.1', WEBHOOK_TIMEOUT_MS: '1000' })));
  afterAll(() => desk.close());

  it('sends the resource as it was to every subscribed endpoint', async () => {
    const [all, some, none] = [
      await desk.endpoint('/all'),
      await desk.endpoint('/some', { event_types: ['offer.sent', OCCURRENCE] }),
      await desk.endpoint('/none', { event_types: ['offer.sent'] }),
    ];
    const product = await desk.occur('A course for Größe 7');
    const [sent] = await desk.receiver.received('/some');
    await desk.receiver.received('/all');

    const envelope = new Webhook(some.signing_secret).verify(sent!.body, sent!.headers as Record<string, string>);
    expect(envelope).toMatchObject({ type: OCCURRENCE, version: '1', attempt: 1, test: false, data: product });
    expect(JSON.stringify(envelope)).not.toContain('"_');
    expect(desk.receiver.at('/none')).toEqual([]);
    for (const { id } of [all, none]) await desk.api.delete(`/v1/webhooks/endpoints/${id}`);
  });

  it('repeats failed attempts by the schedule, numbers them without gaps, and abandons the last one', async () => {
    desk.receiver.answers('/failing', status(503));
    const { id } = await desk.endpoint('/failing', { event_types: [OCCURRENCE] });
    await desk.occur();
    const records = await desk.records(`endpoint_id=${id}`, (all) => all.at(-1)?.status === 'abandoned');
    expect(records.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 'failed'],
      [2, 'failed'],
      [3, 'failed'],
      [4, 'abandoned'],
    ]);
    const sent = desk.receiver.at('/failing').map(({ body }) => JSON.parse(body));
    expect(sent.map(({ delivery_id }) => delivery_id)).toEqual(records.map((record) => record.id));
    expect(new Set(sent.map(({ occurred_at }) => occurred_at)).size).toBe(1);
    expect(new Set(sent.map(({ created_at }) => created_at)).size).toBe(4);
    expect(new Set(sent.map(({ id: eventId }) => eventId)).size).toBe(1);
  });

  it('never repeats an attempt after a 4xx status', async () => {
    desk.receiver.answers('/gone', status(429, { 'retry-after': '0' }));
    const { id } = await desk.endpoint('/gone', { event_types: [OCCURRENCE] });
    await desk.occur();
    const [record] = await desk.records(`endpoint_id=${id}`, ({ length }) => length === 1);
    expect(await desk.chainOf(record.id)).toMatchObject({ status: 'ended', attempts: 1 });
  });

  it('limits the rate to that of the owner from the first attempt on', async () => {
    const { id } = await desk.endpoint('/slow', { event_types: [OCCURRENCE], rate_limit_per_second: 1 });
    await Promise.all([desk.occur(), desk.occur(), desk.occur()]);
    const records = await desk.records(`endpoint_id=${id}`, ({ length }) => length === 3);
    const [first, second, third] = records.map(({ created_at }) => Date.parse(created_at)) as [number, number, number];
    expect(Math.min(second - first, third - second)).toBeGreaterThan(900);
  });

  it('records events as missed while the endpoint is disabled', async () => {
    const { id } = await desk.endpoint('/missed', { event_types: [OCCURRENCE], status: 'disabled' });
    const { id: witness } = await desk.endpoint('/witness', { event_types: [OCCURRENCE] });
    await desk.occur();
    const [record] = await desk.records(`endpoint_id=${witness}`, ({ length }) => length === 1);
    expect((await desk.list(`endpoint_id=${id}&event_id=${record.event_id}`)).body.data).toEqual([]);
    expect(desk.receiver.at('/missed')).toEqual([]);
  });

  it('abandons waiting retries when the endpoint is disabled, also if it is enabled again', async () => {
    const patient = await Desk.open({ WEBHOOK_RETRY_SCHEDULE: '3600' });
    patient.receiver.answers('/waiting', status(500));
    const { id } = await patient.endpoint('/waiting');
    await Promise.all([patient.occur(), patient.occur(), patient.occur()]);
    await patient.records('status=failed', ({ length }) => length === 3);
    await patient.edit(id, { status: 'disabled' });
    await patient.edit(id, { status: 'enabled' });
    await patient.records('status=abandoned', ({ length }) => length === 3);
    await patient.close();
  });

  it('ends every delivery in a state of the contract', async () => {
    const records = await desk.records('limit=100', (all) => all.every((record) => ENDED.includes(record.status)));
    expect(records.length).toBeGreaterThan(0);
  });

  it('ends an attempt of a dead process as lost and repeats it at once', async () => {
    const job = await leftOpen(desk, (await desk.endpoint('/lost', { event_types: ['offer.sent'] })).id);
    const [first] = desk.service.get(DeliverAttempts).handlers;
    await first!.run({ ...job, attempt: 2 });

    const records = await desk.records(`event_id=${job.eventId}`, ({ length }) => length === 2);
    expect(records.map(({ attempt, status, response_status }) => [attempt, status, response_status])).toEqual([
      [1, 'failed', null],
      [2, 'success', 200],
    ]);
    expect(desk.receiver.at('/lost')).toHaveLength(1);
  });

  it('leaves an open attempt to the process that sends it', async () => {
    const job = await leftOpen(desk, (await desk.endpoint('/left', { event_types: ['offer.sent'] })).id);
    const [first] = desk.service.get(DeliverAttempts).handlers;
    expect(await first!.run({ ...job, key: 'attempt:another:1', attempt: 2 })).toMatchObject({ why: 'another attempt is open' });
    expect(desk.receiver.at('/left')).toEqual([]);
  });
});

describe('A receiver that misbehaves', () => {
  it('slows no other receiver', async () => {
    const desk = await Desk.open({ WEBHOOK_TIMEOUT_MS: '8000', WEBHOOK_ENDPOINT_CONCURRENCY: '2', WEBHOOK_RETRY_SCHEDULE: '60' });
    const bad = { hang: hang(), drip: drip(50), redirect: redirect('/elsewhere'), reset: reset(), huge: huge(), bomb: gzipBomb() };
    for (const [path, answer] of Object.entries(bad)) {
      desk.receiver.answers(`/${path}`, answer);
      await desk.endpoint(`/${path}`, { event_types: [OCCURRENCE] });
    }
    await desk.endpoint('/healthy', { event_types: [OCCURRENCE] });
    const endpointAt = async (path: string) =>
      (await desk.api.get('/v1/webhooks/endpoints')).body.data.find(({ url }: { url: string }) => url.endsWith(path));

    await Promise.all(Array.from({ length: 10 }, () => desk.occur()));
    await desk.receiver.received('/healthy', 10);
    expect(await endpointAt('/hang')).toMatchObject({ last_failure_at: null });

    expect(desk.receiver.at('/elsewhere')).toEqual([]);
    const outcome = async (path: string) => {
      const { id } = await endpointAt(path);
      return eventually(async () => (await desk.list(`endpoint_id=${id}`)).body.data[0] ?? null, 20_000);
    };
    expect(await outcome('/hang')).toMatchObject({ status: 'failed', response_status: null });
    expect(await outcome('/drip')).toMatchObject({ status: 'failed', response_status: null });
    expect(await outcome('/redirect')).toMatchObject({ status: 'failed', response_status: 302 });
    expect(await outcome('/reset')).toMatchObject({ status: 'failed', response_status: null });
    expect(await outcome('/huge')).toMatchObject({ status: 'success', response_status: 200 });
    expect(await outcome('/bomb')).toMatchObject({ status: 'success', response_status: 200 });
    await desk.close();
  });
});

describe('The job of a delivery', () => {
  let desk: Desk;
  beforeAll(async () => void (desk = await Desk.open({ WEBHOOK_RETRY_SCHEDULE: '3600' })));
  afterAll(() => desk.close());

  const nextDue = (queue: string) => desk.service.get(Jobs).nextDue(queue);

  it('does not exist for a first attempt that gets a response soon', async () => {
    const { id } = await desk.endpoint('/soon', { event_types: [OCCURRENCE] });
    await desk.occur();
    await desk.records(`endpoint_id=${id}`, ({ length }) => length === 1);
    expect(await nextDue('deliveries')).toBeNull();
    expect(await nextDue('delivery-retries')).toBeNull();
    await desk.api.delete(`/v1/webhooks/endpoints/${id}`);
  });

  it('exists for a slow first attempt, and sends no second request', async () => {
    desk.receiver.answers('/silent', hang());
    const { id } = await desk.endpoint('/silent', { event_types: [OCCURRENCE] });
    await desk.occur();
    expect(await eventually(() => nextDue('deliveries'))).not.toBeNull();
    expect(desk.receiver.at('/silent')).toHaveLength(1);
    await desk.api.delete(`/v1/webhooks/endpoints/${id}`);
  });

  it('exists for the next attempt', async () => {
    desk.receiver.answers('/again', status(503));
    await desk.endpoint('/again', { event_types: [OCCURRENCE] });
    await desk.occur();
    expect(await eventually(() => nextDue('delivery-retries'))).not.toBeNull();
  });
});
