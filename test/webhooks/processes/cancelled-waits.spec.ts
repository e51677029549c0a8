import { EventStore } from '../../../src/kernel/event-store.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { Jobs } from '../../../src/kernel/jobs.js';
import { LEASE_QUEUE } from '../../../src/webhooks/delivery/delivery-jobs.js';
import { readWholeLog } from '../../support/read-whole-log.js';
import { respondWith } from '../../support/receiver-responses.js';
import { ReplayFixture } from '../replay-fixture.js';
import { WebhookFixture } from '../webhook-fixture.js';

const SLOTS = 2;

describe('An endpoint with few slots', () => {
  it('still gets events after replay jobs were cancelled while they waited, as often as it has slots', async () => {
    const fixture = new ReplayFixture(
      await WebhookFixture.start({
        WEBHOOK_RETRY_SCHEDULE: '3600',
        WEBHOOK_ENDPOINT_CONCURRENCY: String(SLOTS),
        WEBHOOK_REPLAY_RATE: '1',
      }),
    );
    const { endpointId } = await fixture.createRefusedDeliveries('/few', 3 * SLOTS);
    for (let time = 0; time < SLOTS + 1; time++) {
      const sent = fixture.receiver.requestsFor('/few').length;
      const job = await fixture.createJob({ endpoint_id: endpointId });
      await fixture.receiver.waitForRequests('/few', sent + 1);
      await fixture.cancel(job);
      await fixture.waitForEnd(job);
    }

    fixture.receiver.setResponses('/few', respondWith(200));
    expect((await fixture.webhooks.sendTestEvent(endpointId)).body.data.status).toBe('success');
    await fixture.webhooks.publish();
    await fixture.webhooks.waitForRecords(
      `endpoint_id=${endpointId}&status=success&test=false`,
      ({ length }) => length === 1,
    );
    await fixture.close();
  });
});

describe('A test event or a replay whose lease cannot be recorded', () => {
  it.each(['test', 'replay'])('sends nothing, starts nothing and keeps no slot: %s', async (kind) => {
    const fixture = await WebhookFixture.start({ WEBHOOK_RETRY_SCHEDULE: '3600', WEBHOOK_ENDPOINT_CONCURRENCY: '1' });
    const { id } = await fixture.createEndpoint('/unleased');
    await fixture.publish();
    const [delivery] = await fixture.waitForRecords(`endpoint_id=${id}`, ({ length }) => length === 1);
    const jobs = fixture.service.get(Jobs);
    const enqueue = jobs.enqueue.bind(jobs);
    jobs.enqueue = async (added) => {
      if (added.some(({ queue }) => queue === LEASE_QUEUE.name)) throw new StoreUnavailable('away', false);
      return enqueue(added);
    };
    const refused = kind === 'test' ? await fixture.sendTestEvent(id) : await fixture.replayDelivery(delivery.id);
    jobs.enqueue = enqueue;

    expect(refused.status).toBe(503);
    expect(fixture.receiver.requestsFor('/unleased')).toHaveLength(1);
    const log = await readWholeLog(fixture.service.get(EventStore));
    expect(log.filter(({ type }) => type === 'AttemptStarted')).toHaveLength(1);
    expect((await fixture.sendTestEvent(id)).body.data).toMatchObject({ status: 'success' });
    await fixture.close();
  });
});
