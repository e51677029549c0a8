import { listEventTypes } from '../../../src/webhooks/event-catalogue.js';
import { requireData } from '../../support/api.js';
import { EventDataSchemas } from '../event-schemas.js';
import { toProblem, WebhookFixture } from '../webhook-fixture.js';

const TYPES = '/v1/webhooks/event-types';

describe('The event types', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => void (fixture = await WebhookFixture.start()));
  afterAll(() => fixture.close());

  it('are listed, sorted by id', async () => {
    const count = listEventTypes().length;
    const pages = Math.ceil(count / 25);
    const answers = [];
    for (let page = 1; page <= pages; page++) answers.push((await fixture.api.get(`${TYPES}?page=${page}`)).body);
    const last = answers.at(-1);

    expect(answers.flatMap(({ data }) => data)).toEqual(listEventTypes());
    expect(last.pagination).toEqual({
      total_pages: pages,
      current_page: pages,
      per_page: 25,
      total_count: count,
    });
    expect((await fixture.api.get(`${TYPES}?page=99`)).body).toEqual(last);
  });

  it('each have a schema of their data, with an example', async () => {
    for (const { id, sent } of listEventTypes()) {
      expect(requireData(await fixture.api.get(`${TYPES}/${id}`))).toMatchObject({ id, sent });
      const { status, body } = await fixture.api.get(`${TYPES}/${id}/schema`);
      expect([id, status]).toEqual([id, 200]);
      expect([id, await new EventDataSchemas(fixture.api).findErrors(id, body.data.examples[0])]).toEqual([id, []]);
    }
  });

  it('have a schema that fits a sent test event', async () => {
    const { id } = await fixture.createEndpoint('/tested');
    await fixture.sendTestEvent(id);
    const [sent] = fixture.receiver.requestsFor('/tested');
    expect(await new EventDataSchemas(fixture.api).findErrors('webhook.test', JSON.parse(sent!.body).data)).toEqual([]);
  });

  it.each(['product.exploded', 'constructor', 'webhook', 'product.approved.'])('do not include %s', async (id) => {
    for (const path of [`${TYPES}/${id}`, `${TYPES}/${id}/schema`])
      expect(toProblem(await fixture.api.get(path))).toEqual({ status: 404, code: 'not_found', params: [] });
  });
});
