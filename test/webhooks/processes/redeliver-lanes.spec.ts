import { Streams } from '../../../src/engine/streams/streams.js';
import { chain } from '../../../src/webhooks/domain/chain.js';
import { hang, status } from '../../support/answers.js';
import { Desk, refusalOf } from '../desk.js';
import { ReplayDesk } from '../replay-desk.js';

describe('A running replay job', () => {
  let desk: ReplayDesk;
  beforeAll(async () => {
    desk = new ReplayDesk(await Desk.open({ WEBHOOK_RETRY_SCHEDULE: '1', WEBHOOK_REPLAY_RATE: '4', WEBHOOK_TIMEOUT_MS: '3000' }));
  });
  afterAll(() => desk.close());

  it('keeps its rate, and releases the unsent chains when it is cancelled', async () => {
    const { endpointId, records } = await desk.refused('/cancelled', 6);
    desk.receiver.answers('/cancelled', status(200));
    const job = await desk.job({ endpoint_id: endpointId });
    const [first, , third] = (await desk.receiver.received('/cancelled', 9)).slice(6);
    expect(third!.receivedAt - first!.receivedAt).toBeGreaterThanOrEqual(300);
    expect(refusalOf(await desk.desk.replay(records[5].id))).toMatchObject({ status: 409, code: 'delivery_replayed_by_job' });

    expect((await desk.cancel(job)).body.data).toMatchObject({ status: 'cancelling', matched: 6 });
    const { redelivered, ...cancelled } = await desk.ended(job);
    expect(redelivered).toBeLessThan(6);
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      matched: 6,
      succeeded: redelivered,
      skipped: 6 - redelivered,
      skipped_reasons: { cancelled: 6 - redelivered },
      completed_at: null,
      cancelled_at: expect.any(String),
    });
    expect((await desk.desk.replay(records[5].id)).body.data).toMatchObject({ attempt: 2, status: 'success' });
    expect(desk.receiver.at('/cancelled')).toHaveLength(6 + redelivered + 1);
  });

  it('accepts a second cancellation without a change', async () => {
    const { endpointId } = await desk.refused('/twice', 2);
    desk.receiver.answers('/twice', hang());
    const job = await desk.job({ endpoint_id: endpointId });
    await desk.receiver.received('/twice', 3);
    for (let time = 0; time < 2; time++) expect((await desk.cancel(job)).body.data).toMatchObject({ status: 'cancelling' });
    expect(await desk.ended(job)).toMatchObject({ status: 'cancelled', redelivered: 1, failed: 1, skipped_reasons: { cancelled: 1 } });
  });

  it('refuses other replays of its chains, and names the new delivery after it has sent', async () => {
    const { endpointId, records } = await desk.refused('/to-itself', 1);
    desk.receiver.answers('/to-itself', hang(), status(200));
    const job = await desk.job({ endpoint_id: endpointId });
    await desk.receiver.received('/to-itself', 2);
    const [{ id }] = records;
    const whileSending = await desk.desk.replay(id);
    expect([whileSending.status, whileSending.body.code]).toEqual([409, 'delivery_replayed_by_job']);
    expect(whileSending.body.detail).not.toContain('whd_');

    await desk.ended(job);
    const [became] = await desk.records(`replay_job_id=${job.id}`, ({ length }) => length === 1);
    const afterwards = await desk.desk.replay(id);
    expect([afterwards.status, afterwards.body.code, afterwards.body.detail]).toEqual([
      409,
      'delivery_replayed_by_job',
      expect.stringContaining(became.id),
    ]);
    expect((await desk.desk.replay(became.id)).body.data).toMatchObject({ status: 'success', replayed_from: became.id });
  });

  it('sends a chain whose retry becomes due alone, and a new schedule follows', async () => {
    const { endpointId, records } = await desk.refused('/due', 4, status(500));
    const job = await desk.job({ endpoint_id: endpointId });
    const ended = await desk.ended(job);
    expect(ended.matched).toBe(4);
    const { changed = 0 } = ended.skipped_reasons;
    expect(ended.redelivered).toBe(4 - changed);

    const all = await desk.records(`endpoint_id=${endpointId}`, (found) => found.length === 4 * 2 + ended.redelivered && isGivenUp(found));
    for (const { id } of records) {
      const ofChain = all.filter((record) => record.id.startsWith(id.slice(0, -2)));
      expect(ofChain.map(({ attempt }) => attempt)).toEqual(ofChain.map((_, i) => i + 1));
      expect(ofChain.filter(({ replay_job }) => replay_job !== null).length).toBeLessThanOrEqual(1);
    }
  });

  it('skips a chain that has changed since its selection', async () => {
    const { endpointId, records } = await desk.refused('/changed', 3);
    desk.receiver.answers('/changed', status(200));
    const facts = (await desk.desk.chainOf(records[1].id)).facts;
    const start = { type: 'Replay', attempt: 1, target: { status: 'enabled', disabledTimes: 0 }, leaseMs: 60_000 } as const;
    await desk.desk.service.get(Streams).execute(chain, facts.chainId, start, desk.desk.context());
    const job = await desk.ended(await desk.job({ endpoint_id: endpointId }));
    expect(job).toMatchObject({ matched: 3, redelivered: 2, skipped: 1, skipped_reasons: { changed: 1 } });
  });
});

const isGivenUp = (records: readonly { status: string }[]) => records.filter(({ status: is }) => is === 'abandoned').length === 4;
