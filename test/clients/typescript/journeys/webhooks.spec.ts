import { type Client, createClient, verifyWebhook } from '../../../../clients/typescript/src/index.ts';
import { eventually } from '../../../support/eventually.js';
import { Receiver } from '../../../support/receiver.js';
import { respondWith } from '../../../support/receiver-responses.js';
import { type Service, startService } from '../../../support/service.js';

const HOOK = '/webhooks';

describe('A receiver that uses the client', () => {
  let service: Service;
  let receiver: Receiver;
  let client: Client;
  beforeAll(async () => {
    receiver = await Receiver.start();
    service = await startService();
    const apiKey = await service.createKey(await service.createBusiness());
    client = createClient({ baseUrl: service.url, apiKey });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  it('verifies events, replays a failed delivery and rotates its secret', async () => {
    const { endpoints, deliveries } = client.webhooks;
    const endpoint = await endpoints.create({ url: receiver.url(HOOK), event_types: ['*'] });
    expect((await endpoints.sendTestEvent(endpoint.id)).status).toBe('success');

    receiver.setResponses(HOOK, respondWith(400), respondWith(200));
    const product = await client.commerce.products.create({ name: 'A course' });
    const [, request] = await receiver.waitForRequests(HOOK, 2);
    const event = await verifyWebhook(request!.body, request!.headers, endpoint.signing_secret!);
    if (event.type !== 'product.review_requested') throw new Error(`Unexpected ${event.type}`);
    expect(event.data.id).toBe(product.id);

    const [failed] = await eventually(
      () => Array.fromAsync(deliveries.list({ endpoint_id: endpoint.id, status: ['failed'] })),
      (found) => found.length === 1,
    );
    const { signing_secret } = await endpoints.rotateSecret(endpoint.id);
    await deliveries.replay(failed!.id);
    const [, , repeated] = await receiver.waitForRequests(HOOK, 3);
    expect(await verifyWebhook(repeated!.body, repeated!.headers, signing_secret!)).toMatchObject({ id: event.id });
    await expect(verifyWebhook(repeated!.body, repeated!.headers, endpoint.signing_secret!)).rejects.toThrow(
      'No signature matches',
    );
  });
});
