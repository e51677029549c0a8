import { requireData } from '../../support/api.js';
import { RAW_CASES, type RawCase } from '../../support/raw-answers.js';
import { RawReceiver } from '../../support/raw-receiver.js';
import { WebhookFixture } from '../webhook-fixture.js';

/** Responses that strict clients refuse and common clients accept. */
const UNUSUAL = [
  '100 Continue',
  '20 interim responses',
  'Content-Length with " " after it',
  'two equal Content-Length lines',
  'two different Content-Length lines',
  'Content-Length and chunked',
  'a length that is no number',
  'chunks without an end',
  'trailers',
  'a folded header',
  'only line feeds',
  '300 KB of headers',
  'an early response and a reset',
  'a reset after the response',
];

describe('A receiver that accepts an event', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => void (fixture = await WebhookFixture.start()));
  afterAll(() => fixture.close());

  const find = (name: string): RawCase => RAW_CASES.find((one) => one.name === name)!;

  it.each(UNUSUAL)('gets it once, and its deliveries succeed, with %s', async (name) => {
    const receiver = await RawReceiver.start(find(name));
    const { id } = requireData(await fixture.api.post('/v1/webhooks/endpoints', { url: receiver.url }));
    await fixture.publish();
    const [delivery] = await fixture.waitForRecords(`endpoint_id=${id}&test=false`, (all) => all.length > 0);
    expect(delivery).toMatchObject({ status: 'success', attempt: 1, response_status: 200, failure: null });

    const tested = requireData(await fixture.sendTestEvent(id));
    const replayed = requireData(await fixture.replayDelivery(delivery.id));
    expect([tested.status, replayed.status]).toEqual(['success', 'success']);
    await receiver.waitForRequests(3);
    expect(receiver.requests).toHaveLength(3);
    requireData(await fixture.api.delete(`/v1/webhooks/endpoints/${id}`));
    await receiver.stop();
  });
});
