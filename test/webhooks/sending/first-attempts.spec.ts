import { rm } from 'node:fs/promises';
import { status } from '../../support/answers.js';
import { dataOf } from '../../support/api.js';
import { startService } from '../../support/service.js';
import { Desk, OCCURRENCE } from '../desk.js';

const SLOW_MS = 300;

/** Removes the files of a fixture whose service has stopped before. */
async function leave({ receiver, service }: Desk): Promise<void> {
  await receiver.stop();
  await rm(service.dataDir, { recursive: true, force: true });
}

describe('An open first attempt', () => {
  it('ends before its process ends', async () => {
    const desk = await Desk.open();
    desk.receiver.answers('/slow', (request, response) => void setTimeout(() => status(200)(request, response), SLOW_MS));
    const { id } = await desk.endpoint('/slow', { event_types: [OCCURRENCE] });
    await desk.occur();
    await desk.receiver.received('/slow');
    await desk.service.running.close();

    const again = await startService({ DATA_DIR: desk.service.dataDir });
    const key = await again.key(desk.business);
    const records = dataOf(await again.api(key).get(`/v1/webhooks/deliveries?endpoint_id=${id}`));
    expect(records).toEqual([expect.objectContaining({ attempt: 1, status: 'success' })]);
    await again.stop();
    await leave(desk);
  });
});

describe('A process that shuts down', () => {
  it('starts no more attempts and leaves them to the next process', async () => {
    const desk = await Desk.open();
    await desk.endpoint('/later', { event_types: [OCCURRENCE] });
    await Promise.all([desk.occur(), desk.occur(), desk.occur()]);
    await desk.service.running.close();

    const again = await startService({ DATA_DIR: desk.service.dataDir });
    const requests = await desk.receiver.received('/later', 3);
    const events = new Set(requests.map(({ headers }) => headers['x-service-event-id']));
    expect(events.size).toBe(3);
    await again.stop();
    await leave(desk);
  });
});
