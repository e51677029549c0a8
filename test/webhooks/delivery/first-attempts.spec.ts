import { rm } from 'node:fs/promises';
import { requireData } from '../../support/api.js';
import { respondWith } from '../../support/receiver-responses.js';
import { startService } from '../../support/service.js';
import { PUBLISHED_TYPE, WebhookFixture } from '../webhook-fixture.js';

const SLOW_MS = 300;

/** Removes the files of a fixture whose service has stopped before. */
async function removeFiles({ receiver, service }: WebhookFixture): Promise<void> {
  await receiver.stop();
  await rm(service.dataDir, { recursive: true, force: true });
}

describe('An open first attempt', () => {
  it('ends before its process ends', async () => {
    const fixture = await WebhookFixture.start();
    fixture.receiver.setResponses(
      '/slow',
      (request, response) => void setTimeout(() => respondWith(200)(request, response), SLOW_MS),
    );
    const { id } = await fixture.createEndpoint('/slow', { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    await fixture.receiver.waitForRequests('/slow');
    await fixture.service.running.close();

    const again = await startService({ DATA_DIR: fixture.service.dataDir });
    const key = await again.createKey(fixture.business);
    const records = requireData(await again.createApi(key).get(`/v1/webhooks/deliveries?endpoint_id=${id}`));
    expect(records).toEqual([expect.objectContaining({ attempt: 1, status: 'success' })]);
    await again.stop();
    await removeFiles(fixture);
  });
});

describe('A process that shuts down', () => {
  it('starts no more attempts and leaves them to the next process', async () => {
    const fixture = await WebhookFixture.start();
    await fixture.createEndpoint('/later', { event_types: [PUBLISHED_TYPE] });
    await Promise.all([fixture.publish(), fixture.publish(), fixture.publish()]);
    await fixture.service.running.close();

    const again = await startService({ DATA_DIR: fixture.service.dataDir });
    const requests = await fixture.receiver.waitForRequests('/later', 3);
    const events = new Set(requests.map(({ headers }) => headers['x-service-event-id']));
    expect(events.size).toBe(3);
    await again.stop();
    await removeFiles(fixture);
  });
});
