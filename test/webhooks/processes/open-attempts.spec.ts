import { Secrets } from '../../../src/engine/encryption/secrets.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { createChildContext } from '../../../src/kernel/context.js';
import type { Job } from '../../../src/kernel/jobs.js';
import { Leases } from '../../../src/kernel/leases.js';
import { Attempts } from '../../../src/webhooks/delivery/attempts.js';
import { LEASE_QUEUE, toLeaseJob } from '../../../src/webhooks/delivery/delivery-jobs.js';
import { deliveryChainDecider } from '../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import type { LoseAttempt, RecordAttemptResult } from '../../../src/webhooks/domain/delivery-chain/facts.js';
import { endpointDecider } from '../../../src/webhooks/domain/endpoint.js';
import { DeliverAttempts } from '../../../src/webhooks/processes/deliver-attempts.js';
import { respondWith } from '../../support/receiver-responses.js';
import { ENABLED, loseAttempt, NOW, recordResult } from '../facts.js';
import { leaveAttemptOpen, planChain } from '../open-attempts.js';
import { PUBLISHED_TYPE, waitFor, WebhookFixture } from '../webhook-fixture.js';

/** Returns a job whose every run throws. */
const toDamaged = (job: Job): Job => ({ ...job, data: { ...job.data, causationId: null } });

const run = (fixture: WebhookFixture, job: Job) => fixture.service.get(DeliverAttempts).handlers[0]!.run(job);

async function findSecretId(fixture: WebhookFixture, endpointId: string): Promise<string> {
  const found = await fixture.service.get(Streams).loadState(endpointDecider, endpointId);
  if (!('secretId' in found)) throw new Error(`${endpointId} has no secret`);
  return found.secretId;
}

describe('An attempt that fails by an error of the service', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => void (fixture = await WebhookFixture.start({ WEBHOOK_RETRY_SCHEDULE: '0.1,3600' })));
  afterAll(() => fixture.close());

  async function createEndpointWithoutSecret(path: string, body: object = {}): Promise<string> {
    const { id } = await fixture.createEndpoint(path, body);
    await fixture.service.get(Secrets).destroy(await findSecretId(fixture, id));
    return id;
  }

  it('is recorded as failed, and its chain continues by the schedule', async () => {
    const id = await createEndpointWithoutSecret('/unsigned', { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    const records = await fixture.waitForRecords(`endpoint_id=${id}`, ({ length }) => length === 2);
    expect(records.map(({ attempt, status: is, response_status }) => [attempt, is, response_status])).toEqual([
      [1, 'failed', null],
      [2, 'failed', null],
    ]);
    expect(await fixture.readChain(records[1].id)).toMatchObject({ status: 'waiting', attempts: 2 });
  });

  it('is recorded as failed if it is a test', async () => {
    const reply = await fixture.sendTestEvent(await createEndpointWithoutSecret('/untested'));
    expect([reply.status, reply.body.data]).toEqual([
      201,
      expect.objectContaining({ status: 'failed', response_status: 0 }),
    ]);
  });
});

describe('The job of an open attempt', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => void (fixture = await WebhookFixture.start({ WEBHOOK_TIMEOUT_MS: '600000' })));
  afterAll(() => fixture.close());

  it('is rescheduled after any error of its run', async () => {
    const job = await leaveAttemptOpen(
      fixture,
      (await fixture.createEndpoint('/thrown', { event_types: ['offer.sent'] })).id,
    );
    expect(await run(fixture, toDamaged(job))).toMatchObject({ reason: expect.stringContaining('TypeError') });
  });

  it('throws the error when no attempt is open', async () => {
    const job = await leaveAttemptOpen(
      fixture,
      (await fixture.createEndpoint('/over', { event_types: ['offer.sent'] })).id,
    );
    await fixture.service
      .get(Attempts)
      .recordEnd(job.chainId, recordResult(1, 204) as RecordAttemptResult, fixture.createContext());
    await expect(run(fixture, toDamaged(job))).rejects.toThrow();
  });

  it('is rescheduled when the store is unavailable', async () => {
    const other = await WebhookFixture.start();
    const job = await leaveAttemptOpen(
      other,
      (await other.createEndpoint('/away', { event_types: ['offer.sent'] })).id,
    );
    await other.close();
    expect(await run(other, { ...job, attempt: 2 })).toMatchObject({
      reason: expect.stringContaining('StoreUnavailable'),
    });
  });
});

describe('The end of an attempt whose endpoint is disabled at the same time', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => void (fixture = await WebhookFixture.start({ WEBHOOK_RETRY_SCHEDULE: '3600' })));
  afterAll(() => fixture.close());

  async function leaveOpenAtDisabled(path: string) {
    const { id } = await fixture.createEndpoint(path, { event_types: ['offer.sent'] });
    const job = await leaveAttemptOpen(fixture, id);
    await fixture.editEndpoint(id, { status: 'disabled' });
    await fixture.editEndpoint(id, { status: 'enabled' });
    return job;
  }

  it('leaves no retry after a response', async () => {
    const { chainId } = await leaveOpenAtDisabled('/answered');
    const { state } = await fixture.service
      .get(Attempts)
      .recordEnd(chainId, recordResult(1, 503) as RecordAttemptResult, fixture.createContext());
    expect(state).toMatchObject({ status: 'ended' });
  });

  it('leaves no retry after a lost attempt', async () => {
    const { chainId, key } = await leaveOpenAtDisabled('/lost');
    const lost = loseAttempt(1, { job: key, attempt: 2 }) as LoseAttempt;
    expect((await fixture.service.get(Attempts).recordEnd(chainId, lost, fixture.createContext())).state).toMatchObject(
      {
        status: 'ended',
      },
    );
  });

  it('leaves no retry after a lost replay', async () => {
    fixture.receiver.setResponses('/replayed', respondWith(503));
    const { id } = await fixture.createEndpoint('/replayed', { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    const [record] = await fixture.waitForRecords(`endpoint_id=${id}`, ({ length }) => length === 1);
    const [streams, context, { facts }] = [
      fixture.service.get(Streams),
      fixture.createContext(),
      await fixture.readChain(record.id),
    ];
    await streams.execute(
      deliveryChainDecider,
      facts.chainId,
      { type: 'Replay', attempt: 1, endpointState: ENABLED, leaseMs: 0 },
      createChildContext(context, 'replay'),
    );
    await fixture.editEndpoint(id, { status: 'disabled' });

    const { state } = await fixture.service
      .get(Attempts)
      .recordEnd(facts.chainId, loseAttempt(2) as LoseAttempt, context);
    expect(state).toMatchObject({ status: 'ended', attempts: 2 });
  });
});

describe('A replay of another process', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => void (fixture = await WebhookFixture.start()));
  afterAll(() => fixture.close());

  it('is lost when that process has died, but not because a clock is ahead', async () => {
    const { id } = await fixture.createEndpoint('/ahead', { event_types: ['offer.sent'] });
    const { facts, context } = await planChain(fixture, id);
    await fixture.waitForRecords(`endpoint_id=${id}`, ([record]) => record?.status === 'success');
    const [leases, name] = [fixture.service.get(Leases), 'dispatch:100'];
    const owner = { job: name, attempt: (await leases.acquireLease(name, 'another process', 60_000))! };
    const replay = { type: 'Replay', attempt: 1, endpointState: ENABLED, leaseMs: -1_000, owner } as const;
    await fixture.service
      .get(Streams)
      .execute(deliveryChainDecider, facts.chainId, replay, createChildContext(context, 'replay'));
    const job = { ...toLeaseJob(facts.chainId, NOW, context), id: '1', attempt: 1, failures: 0 };
    const statusAfterRun = async () => {
      await fixture.service
        .get(DeliverAttempts)
        .handlers.find(({ queue }) => queue === LEASE_QUEUE)!
        .run(job);
      return (await fixture.service.get(Streams).loadState(deliveryChainDecider, facts.chainId)).status;
    };

    expect(await statusAfterRun()).toBe('sending');
    await leases.releaseLease(name, 'another process');
    await waitFor(async () => ((await statusAfterRun()) === 'ended' ? true : null));
  });
});

describe('The secret of an endpoint', () => {
  it('is destroyed when a crash has interrupted the deletion', async () => {
    const fixture = await WebhookFixture.start();
    const { id } = await fixture.createEndpoint('/deleted');
    const secretId = await findSecretId(fixture, id);
    await fixture.service
      .get(Streams)
      .execute(endpointDecider, id, { type: 'DeleteEndpoint' }, fixture.createContext());
    const secrets = fixture.service.get(Secrets);
    expect(await waitFor(async () => ((await secrets.read(secretId)) === null ? 'destroyed' : null))).toBe('destroyed');
    await fixture.close();
  });

  it('is destroyed when a crash has interrupted its rotation', async () => {
    const fixture = await WebhookFixture.start();
    const { id } = await fixture.createEndpoint('/rotated');
    const [old, secretId, secrets] = [await findSecretId(fixture, id), 'sec_next', fixture.service.get(Secrets)];
    await secrets.store(secretId, 'whsec_next');
    await fixture.service
      .get(Streams)
      .execute(endpointDecider, id, { type: 'RotateSecret', secretId }, fixture.createContext());
    expect(await waitFor(async () => ((await secrets.read(old)) === null ? 'destroyed' : null))).toBe('destroyed');
    expect(await secrets.read(secretId)).toBe('whsec_next');
    await fixture.close();
  });
});
