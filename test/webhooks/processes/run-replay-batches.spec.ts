import { Webhook } from 'standardwebhooks';
import { Streams } from '../../../src/engine/streams/streams.js';
import { deliveryChainDecider } from '../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import type { ReceivedRequest } from '../../support/receiver.js';
import { hang, respondWith } from '../../support/receiver-responses.js';
import { ReplayFixture } from '../replay-fixture.js';
import { toProblem, WebhookFixture } from '../webhook-fixture.js';

/** The job needs seconds for so many chains, so that it still runs when it is cancelled on slow stores. */
const MANY = 14;
/** The time between two chains at the job's rate of 4 a second. */
const INTERVAL_MS = 250;

describe('A running replay job', () => {
  let fixture: ReplayFixture;
  beforeAll(async () => {
    fixture = new ReplayFixture(
      await WebhookFixture.start({ WEBHOOK_RETRY_SCHEDULE: '1', WEBHOOK_REPLAY_RATE: '4', WEBHOOK_TIMEOUT_MS: '3000' }),
    );
  });
  afterAll(() => fixture.close());

  it('keeps its rate, and releases the unsent chains when it is cancelled', async () => {
    const { endpointId, records } = await fixture.createRefusedDeliveries('/cancelled', MANY);
    fixture.receiver.setResponses('/cancelled', respondWith(200));
    const requestedAt = Date.now();
    const job = await fixture.createJob({ endpoint_id: endpointId });
    const [, , third] = (await fixture.receiver.waitForRequests('/cancelled', MANY + 3)).slice(MANY);
    expect(third!.receivedAt - requestedAt).toBeGreaterThanOrEqual(2 * INTERVAL_MS);
    expect(toProblem(await fixture.webhooks.replayDelivery(records.at(-1)!.id))).toMatchObject({
      status: 409,
      code: 'delivery_replayed_by_job',
    });

    expect((await fixture.cancel(job)).body.data).toMatchObject({ status: 'cancelling', matched: MANY });
    const { redelivered, ...cancelled } = await fixture.waitForEnd(job);
    expect(redelivered).toBeLessThan(MANY);
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      matched: MANY,
      succeeded: redelivered,
      skipped: MANY - redelivered,
      skipped_reasons: { cancelled: MANY - redelivered },
      completed_at: null,
      cancelled_at: expect.any(String),
    });
    expect((await fixture.webhooks.replayDelivery(records.at(-1)!.id)).body.data).toMatchObject({
      attempt: 2,
      status: 'success',
    });
    expect(fixture.receiver.requestsFor('/cancelled')).toHaveLength(MANY + redelivered + 1);
  });

  it('skips the rest when its endpoint is disabled, and a second job sends the rest once', async () => {
    const { endpointId } = await fixture.createRefusedDeliveries('/paused', MANY);
    fixture.receiver.setResponses('/paused', respondWith(200));
    const job = await fixture.createJob({ endpoint_id: endpointId });
    await fixture.receiver.waitForRequests('/paused', MANY + 3);
    await fixture.webhooks.editEndpoint(endpointId, { status: 'disabled' });
    const { redelivered, ...first } = await fixture.waitForEnd(job);
    const rest = MANY - redelivered;
    expect(rest).toBeGreaterThan(0);
    expect(first).toMatchObject({ status: 'completed', matched: MANY, skipped_reasons: { endpoint_disabled: rest } });

    await fixture.webhooks.editEndpoint(endpointId, { status: 'enabled' });
    const second = await fixture.waitForEnd(await fixture.createJob({ endpoint_id: endpointId }));
    expect(second).toMatchObject({ matched: rest, redelivered: rest, succeeded: rest });
    const ids = fixture.receiver.requestsFor('/paused').map(({ headers }) => headers['webhook-id']);
    expect(ids.slice(MANY)).toEqual(ids.slice(0, MANY));
  });

  it('skips the rest when its endpoint is deleted', async () => {
    const { endpointId } = await fixture.createRefusedDeliveries('/deleted', MANY);
    fixture.receiver.setResponses('/deleted', respondWith(200));
    const job = await fixture.createJob({ endpoint_id: endpointId });
    await fixture.receiver.waitForRequests('/deleted', MANY + 3);
    await fixture.webhooks.api.delete(`/v1/webhooks/endpoints/${endpointId}`);
    const { redelivered, ...ended } = await fixture.waitForEnd(job);
    expect(ended).toMatchObject({ status: 'completed', matched: MANY, skipped: MANY - redelivered });
    expect(fixture.receiver.requestsFor('/deleted')).toHaveLength(MANY + redelivered);
  });

  it('signs with the new secret after a rotation, and sends each event once, in order', async () => {
    const { endpointId } = await fixture.createRefusedDeliveries('/rotated', MANY);
    fixture.receiver.setResponses('/rotated', respondWith(200));
    const rotate = async () => (await fixture.webhooks.rotateSecret(endpointId)).body.data.signing_secret as string;
    const old = await rotate();
    const job = await fixture.createJob({ endpoint_id: endpointId });
    await fixture.receiver.waitForRequests('/rotated', MANY + 3);
    const fresh = await rotate();
    expect(await fixture.waitForEnd(job)).toMatchObject({ matched: MANY, succeeded: MANY });

    const sent = fixture.receiver.requestsFor('/rotated');
    const signedWith = (secret: string) => sent.slice(MANY).filter((request) => isSignedWith(secret, request));
    expect(signedWith(old).length).toBeGreaterThanOrEqual(3);
    expect([...signedWith(old), ...signedWith(fresh)]).toEqual(sent.slice(MANY));
    const ids = sent.map(({ headers }) => headers['webhook-id']);
    expect(ids.slice(MANY)).toEqual(ids.slice(0, MANY));
  });

  it('accepts a second cancellation without a change', async () => {
    const { endpointId } = await fixture.createRefusedDeliveries('/twice', 2);
    fixture.receiver.setResponses('/twice', hang());
    const job = await fixture.createJob({ endpoint_id: endpointId });
    await fixture.receiver.waitForRequests('/twice', 3);
    for (let time = 0; time < 2; time++)
      expect((await fixture.cancel(job)).body.data).toMatchObject({ status: 'cancelling' });
    const { redelivered, ...cancelled } = await fixture.waitForEnd(job);
    // The second chain may be sent before the cancellation.
    expect(cancelled).toMatchObject({ status: 'cancelled', failed: redelivered, skipped: 2 - redelivered });
  });

  it('refuses other replays of its chains, and names the new delivery after it has sent', async () => {
    const { endpointId, records } = await fixture.createRefusedDeliveries('/to-itself', 1);
    fixture.receiver.setResponses('/to-itself', hang(), respondWith(200));
    const job = await fixture.createJob({ endpoint_id: endpointId });
    await fixture.receiver.waitForRequests('/to-itself', 2);
    const [{ id }] = records;
    const whileSending = await fixture.webhooks.replayDelivery(id);
    expect([whileSending.status, whileSending.body.code]).toEqual([409, 'delivery_replayed_by_job']);
    expect(whileSending.body.detail).not.toContain('whd_');
    expect(whileSending.headers.get('retry-after')).toBe('1');

    await fixture.waitForEnd(job);
    const [became] = await fixture.waitForRecords(`replay_job_id=${job.id}`, ({ length }) => length === 1);
    const afterwards = await fixture.webhooks.replayDelivery(id);
    expect([afterwards.status, afterwards.body.code, afterwards.body.detail]).toEqual([
      409,
      'delivery_replayed_by_job',
      expect.stringContaining(became.id),
    ]);
    // The delivery stays refused, so no later time is promised.
    expect(afterwards.headers.get('retry-after')).toBeNull();
    expect((await fixture.webhooks.replayDelivery(became.id)).body.data).toMatchObject({
      status: 'success',
      replayed_from: became.id,
    });
  });

  it('sends a chain whose retry becomes due alone, and a new schedule follows', async () => {
    const { endpointId, records } = await fixture.createRefusedDeliveries('/due', 4, respondWith(500));
    const job = await fixture.createJob({ endpoint_id: endpointId });
    // A chain is not selected while an attempt runs, and skipped when its retry was due before its turn.
    const ended = await fixture.waitForEnd(job);
    const { changed = 0 } = ended.skipped_reasons;
    expect(ended.redelivered).toBe(ended.matched - changed);

    const all = await fixture.waitForRecords(
      `endpoint_id=${endpointId}`,
      (found) => found.length === 4 * 2 + ended.redelivered && areAllAbandoned(found),
    );
    for (const { id } of records) {
      const ofChain = all.filter((record) => record.id.startsWith(id.slice(0, -2)));
      expect(ofChain.map(({ attempt }) => attempt)).toEqual(ofChain.map((_, i) => i + 1));
      expect(ofChain.filter(({ replay_job }) => replay_job !== null).length).toBeLessThanOrEqual(1);
    }
  });

  it('skips a chain that has changed since its selection', async () => {
    const { endpointId, records } = await fixture.createRefusedDeliveries('/changed', 3);
    fixture.receiver.setResponses('/changed', respondWith(200));
    const facts = (await fixture.webhooks.readChain(records[1].id)).facts;
    const start = {
      type: 'Replay',
      attempt: 1,
      endpointState: { status: 'enabled', disabledTimes: 0 },
      leaseMs: 60_000,
    } as const;
    await fixture.webhooks.service
      .get(Streams)
      .execute(deliveryChainDecider, facts.chainId, start, fixture.webhooks.createContext());
    const job = await fixture.waitForEnd(await fixture.createJob({ endpoint_id: endpointId }));
    expect(job).toMatchObject({ matched: 3, redelivered: 2, skipped: 1, skipped_reasons: { changed: 1 } });
  });
});

function isSignedWith(secret: string, { body, headers }: ReceivedRequest): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

const areAllAbandoned = (records: readonly { status: string }[]) =>
  records.filter(({ status: is }) => is === 'abandoned').length === 4;
