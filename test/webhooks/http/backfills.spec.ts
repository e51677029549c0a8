import { createBackfill, listEventIds, readEventIds } from '../backfill-fixture.js';
import { ReplayFixture } from '../replay-fixture.js';
import { WebhookFixture } from '../webhook-fixture.js';

const QUICK = { WEBHOOK_RETRY_SCHEDULE: '3600', WEBHOOK_REPLAY_RATE: '1000', WEBHOOK_TIMEOUT_MS: '2000' };

describe('A replay job of events that were never planned', () => {
  let fixture: ReplayFixture;
  beforeAll(async () => {
    fixture = new ReplayFixture(await WebhookFixture.start(QUICK));
    for (let i = 1; i <= 12; i++) await fixture.webhooks.publish(`Number ${i}`);
  });
  afterAll(() => fixture.close());

  it('sends each event of the past once to a new endpoint, in the order of the log', async () => {
    const { id: endpointId } = await fixture.createEndpoint('/new');
    const job = await fixture.waitForEnd(await createBackfill(fixture, endpointId));
    expect(job).toMatchObject({
      status: 'completed',
      scope: 'never_planned',
      statuses: [],
      matched: 12,
      redelivered: 12,
      succeeded: 12,
      skipped: 0,
    });
    expect(readEventIds(fixture, '/new')).toEqual(await listEventIds(fixture));

    const records = await fixture.waitForRecords(`replay_job_id=${job.id}`, ({ length }) => length === 12);
    for (const record of records)
      expect(record).toMatchObject({ attempt: 1, status: 'success', replayed_from: null, replay_job: { id: job.id } });

    expect(await fixture.waitForEnd(await createBackfill(fixture, endpointId))).toMatchObject({
      status: 'completed',
      matched: 0,
    });
    expect(fixture.receiver.requestsFor('/new')).toHaveLength(12);
  });
});
