import { Secrets } from '../../../src/engine/sealing/secrets.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { step } from '../../../src/kernel/context.js';
import type { Job } from '../../../src/kernel/jobs.js';
import { chain, type LoseAttempt, type RecordAnswer } from '../../../src/webhooks/domain/chain.js';
import { endpoint } from '../../../src/webhooks/domain/endpoint.js';
import { DeliverAttempts } from '../../../src/webhooks/processes/deliver-attempts.js';
import { LEASES, leaseJob } from '../../../src/webhooks/sending/chain-jobs.js';
import { ReadModels } from '../../../src/kernel/read-models.js';
import { Attempts } from '../../../src/webhooks/sending/attempts.js';
import { status } from '../../support/answers.js';
import { Desk, eventually, OCCURRENCE } from '../desk.js';
import { answer, ENABLED, lose, NOW } from '../facts.js';
import { leftOpen, plannedAt } from '../left-open.js';

/** Returns a job whose every run throws. */
const damaged = (job: Job): Job => ({ ...job, data: { ...job.data, causationId: null } });

const run = (desk: Desk, job: Job) => desk.service.get(DeliverAttempts).handlers[0]!.run(job);

async function secretIdOf(desk: Desk, endpointId: string): Promise<string> {
  const found = await desk.service.get(Streams).state(endpoint, endpointId);
  if (!('secretId' in found)) throw new Error(`${endpointId} has no secret`);
  return found.secretId;
}

describe('An attempt that fails by an error of the service', () => {
  let desk: Desk;
  beforeAll(async () => void (desk = await Desk.open({ WEBHOOK_RETRY_SCHEDULE: '0.1,3600' })));
  afterAll(() => desk.close());

  async function endpointWithoutSecret(path: string, body: object = {}): Promise<string> {
    const { id } = await desk.endpoint(path, body);
    await desk.service.get(Secrets).destroy(await secretIdOf(desk, id));
    return id;
  }

  it('is recorded as failed, and its chain continues by the schedule', async () => {
    const id = await endpointWithoutSecret('/unsigned', { event_types: [OCCURRENCE] });
    await desk.occur();
    const records = await desk.records(`endpoint_id=${id}`, ({ length }) => length === 2);
    expect(records.map(({ attempt, status: is, response_status }) => [attempt, is, response_status])).toEqual([
      [1, 'failed', null],
      [2, 'failed', null],
    ]);
    expect(await desk.chainOf(records[1].id)).toMatchObject({ status: 'waiting', attempts: 2 });
  });

  it('is recorded as failed if it is a test', async () => {
    const reply = await desk.test(await endpointWithoutSecret('/untested'));
    expect([reply.status, reply.body.data]).toEqual([201, expect.objectContaining({ status: 'failed', response_status: 0 })]);
  });
});

describe('The job of an open attempt', () => {
  let desk: Desk;
  beforeAll(async () => void (desk = await Desk.open({ WEBHOOK_TIMEOUT_MS: '600000' })));
  afterAll(() => desk.close());

  it('is rescheduled after any error of its run', async () => {
    const job = await leftOpen(desk, (await desk.endpoint('/thrown', { event_types: ['offer.sent'] })).id);
    expect(await run(desk, damaged(job))).toMatchObject({ why: expect.stringContaining('TypeError') });
  });

  it('throws the error when no attempt is open', async () => {
    const job = await leftOpen(desk, (await desk.endpoint('/over', { event_types: ['offer.sent'] })).id);
    await desk.service.get(Attempts).end(job.chainId, answer(1, 204) as RecordAnswer, desk.context());
    await expect(run(desk, damaged(job))).rejects.toThrow();
  });

  it('is rescheduled when the store is unavailable', async () => {
    const other = await Desk.open();
    const job = await leftOpen(other, (await other.endpoint('/away', { event_types: ['offer.sent'] })).id);
    await other.close();
    expect(await run(other, { ...job, attempt: 2 })).toMatchObject({ why: expect.stringContaining('StoreUnavailable') });
  });
});

describe('The end of an attempt whose endpoint is disabled at the same time', () => {
  let desk: Desk;
  beforeAll(async () => void (desk = await Desk.open({ WEBHOOK_RETRY_SCHEDULE: '3600' })));
  afterAll(() => desk.close());

  async function leftOpenAtDisabled(path: string) {
    const { id } = await desk.endpoint(path, { event_types: ['offer.sent'] });
    const job = await leftOpen(desk, id);
    await desk.edit(id, { status: 'disabled' });
    await desk.edit(id, { status: 'enabled' });
    return job;
  }

  it('leaves no retry after a response', async () => {
    const { chainId } = await leftOpenAtDisabled('/answered');
    const { state } = await desk.service.get(Attempts).end(chainId, answer(1, 503) as RecordAnswer, desk.context());
    expect(state).toMatchObject({ status: 'ended' });
  });

  it('leaves no retry after a lost attempt', async () => {
    const { chainId, key } = await leftOpenAtDisabled('/lost');
    const lost = lose(1, { job: key, attempt: 2 }) as LoseAttempt;
    expect((await desk.service.get(Attempts).end(chainId, lost, desk.context())).state).toMatchObject({ status: 'ended' });
  });

  it('leaves no retry after a lost replay', async () => {
    desk.receiver.answers('/replayed', status(503));
    const { id } = await desk.endpoint('/replayed', { event_types: [OCCURRENCE] });
    await desk.occur();
    const [record] = await desk.records(`endpoint_id=${id}`, ({ length }) => length === 1);
    const [streams, context, { facts }] = [desk.service.get(Streams), desk.context(), await desk.chainOf(record.id)];
    await streams.execute(chain, facts.chainId, { type: 'Replay', attempt: 1, target: ENABLED, leaseMs: 0 }, step(context, 'replay'));
    await desk.edit(id, { status: 'disabled' });

    const { state } = await desk.service.get(Attempts).end(facts.chainId, lose(2) as LoseAttempt, context);
    expect(state).toMatchObject({ status: 'ended', attempts: 2 });
  });
});

describe('A replay of another process', () => {
  let desk: Desk;
  beforeAll(async () => void (desk = await Desk.open()));
  afterAll(() => desk.close());

  it('is lost when that process has died, but not because a clock is ahead', async () => {
    const { id } = await desk.endpoint('/ahead', { event_types: ['offer.sent'] });
    const { facts, context } = await plannedAt(desk, id);
    await desk.records(`endpoint_id=${id}`, ([record]) => record?.status === 'success');
    const [models, name] = [desk.service.get(ReadModels), 'dispatch:100'];
    const run = { job: name, attempt: (await models.lease(name, 'another process', 60_000))! };
    const replay = { type: 'Replay', attempt: 1, target: ENABLED, leaseMs: -1_000, run } as const;
    await desk.service.get(Streams).execute(chain, facts.chainId, replay, step(context, 'replay'));
    const job = { ...leaseJob(facts.chainId, NOW, context), id: '1', attempt: 1, failures: 0 };
    const statusAfterRun = async () => {
      await desk.service
        .get(DeliverAttempts)
        .handlers.find(({ queue }) => queue === LEASES)!
        .run(job);
      return (await desk.service.get(Streams).state(chain, facts.chainId)).status;
    };

    expect(await statusAfterRun()).toBe('sending');
    await models.release(name, 'another process');
    expect(await statusAfterRun()).toBe('ended');
  });
});

describe('The secret of an endpoint', () => {
  it('is destroyed when a crash has interrupted the deletion', async () => {
    const desk = await Desk.open();
    const { id } = await desk.endpoint('/deleted');
    const secretId = await secretIdOf(desk, id);
    await desk.service.get(Streams).execute(endpoint, id, { type: 'DeleteEndpoint' }, desk.context());
    const secrets = desk.service.get(Secrets);
    expect(await eventually(async () => ((await secrets.read(secretId)) === null ? 'destroyed' : null))).toBe('destroyed');
    await desk.close();
  });

  it('is destroyed when a crash has interrupted its rotation', async () => {
    const desk = await Desk.open();
    const { id } = await desk.endpoint('/rotated');
    const [old, secretId, secrets] = [await secretIdOf(desk, id), 'sec_next', desk.service.get(Secrets)];
    await secrets.keep(secretId, 'whsec_next');
    await desk.service.get(Streams).execute(endpoint, id, { type: 'RotateSecret', secretId }, desk.context());
    expect(await eventually(async () => ((await secrets.read(old)) === null ? 'destroyed' : null))).toBe('destroyed');
    expect(await secrets.read(secretId)).toBe('whsec_next');
    await desk.close();
  });
});
