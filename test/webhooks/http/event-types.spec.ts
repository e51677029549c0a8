import { dataOf } from '../../support/api.js';
import { EVENT_TYPES } from '../../../src/webhooks/domain/event-types.js';
import { Desk, refusalOf } from '../desk.js';
import { Schemas } from '../schemas.js';

const TYPES = '/v1/webhooks/event-types';

describe('The event types', () => {
  let desk: Desk;
  beforeAll(async () => void (desk = await Desk.open()));
  afterAll(() => desk.close());

  it('are listed, sorted by id', async () => {
    const first = (await desk.api.get(TYPES)).body;
    const second = (await desk.api.get(`${TYPES}?page=2`)).body;
    expect([...first.data, ...second.data]).toEqual(EVENT_TYPES);
    expect(second.pagination).toEqual({ total_pages: 2, current_page: 2, per_page: 25, total_count: EVENT_TYPES.length });
    expect((await desk.api.get(`${TYPES}?page=9`)).body).toEqual(second);
  });

  it('each have a schema of their data, with an example', async () => {
    for (const { id, sent } of EVENT_TYPES) {
      expect(dataOf(await desk.api.get(`${TYPES}/${id}`))).toMatchObject({ id, sent });
      const { status, body } = await desk.api.get(`${TYPES}/${id}/schema`);
      expect([id, status]).toEqual([id, 200]);
      expect([id, await new Schemas(desk.api).faultsOf(id, body.data.examples[0])]).toEqual([id, []]);
    }
  });

  it('have a schema that fits a sent test event', async () => {
    const { id } = await desk.endpoint('/tested');
    await desk.test(id);
    const [sent] = desk.receiver.at('/tested');
    expect(await new Schemas(desk.api).faultsOf('webhook.test', JSON.parse(sent!.body).data)).toEqual([]);
  });

  it.each(['product.exploded', 'constructor', 'webhook', 'product.approved.'])('do not include %s', async (id) => {
    for (const path of [`${TYPES}/${id}`, `${TYPES}/${id}/schema`])
      expect(refusalOf(await desk.api.get(path))).toEqual({ status: 404, code: 'not_found', params: [] });
  });
});
