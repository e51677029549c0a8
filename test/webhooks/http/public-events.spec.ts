import { PUBLISHED_TYPE, toProblem, waitFor, WebhookFixture } from '../webhook-fixture.js';

const EVENTS = '/v1/webhooks/events';

describe('The public events of a business', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => void (fixture = await WebhookFixture.start()));
  afterAll(() => fixture.close());

  /** The key of the business has an event too. */
  const PRODUCTS = 'event_type=product.*';
  const events = async (query = PRODUCTS) => (await fixture.api.get(`${EVENTS}?${query}`)).body.data;

  it('exist even if no endpoint receives them', async () => {
    const product = await fixture.publish('Unheard');
    const event = await waitFor(
      async () => (await events()).find(({ data }: { data: { id: string } }) => data.id === product.id) ?? null,
    );
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_/),
      object: 'event',
      type: PUBLISHED_TYPE,
      version: '1',
      occurred_at: product.created_at,
      sequence: 2,
      data: product,
      changes: null,
    });
    expect((await fixture.api.get(`${EVENTS}/${event.id}`)).body.data).toEqual(event);
  });

  it('are paged with a cursor, newest first, by type and time', async () => {
    for (const name of ['One', 'Two', 'Three']) await fixture.publish(name);
    await waitFor(async () => ((await events()).length >= 4 ? true : null));
    const first = (await fixture.api.get(`${EVENTS}?limit=3&${PRODUCTS}`)).body;
    const second = (await fixture.api.get(`${EVENTS}?limit=3&${PRODUCTS}&after=${first.pagination.next_cursor}`)).body;
    const all = [...first.data, ...second.data].map(({ occurred_at }) => occurred_at);
    expect(all).toEqual([...all].sort().reverse());
    expect(second.pagination).toEqual({ next_cursor: null, has_more: false });
    expect(await events('event_type=offer.sent&event_type=offer.expired')).toEqual([]);
    expect((await events(`event_type=${PUBLISHED_TYPE}`)).length).toBe(all.length);
    expect(await events('created_to=2020-01-01')).toEqual([]);
    for (const query of ['after=forged', 'event_type=webhook.nothing'])
      expect(toProblem(await fixture.api.get(`${EVENTS}?${query}`))).toMatchObject({
        status: 400,
        code: 'invalid_parameter',
      });
  });

  it('are filtered by their resource', async () => {
    const product = await fixture.publish('Asked for');
    const about = await waitFor(async () => {
      const found = await events(`resource=${product.id}&created_from=2020-01-01`);
      return found.length > 0 ? found : null;
    });
    expect(about).toMatchObject([{ type: PUBLISHED_TYPE, data: { id: product.id } }]);
    expect(about[0]).not.toHaveProperty('_resource');
    expect(await events('resource=prod_unknown')).toEqual([]);
  });

  it('are not accessible to another business', async () => {
    const [{ id }] = await events();
    const other = await WebhookFixture.addBusiness(fixture.service, fixture.receiver);
    expect((await other.api.get(`${EVENTS}/${id}`)).status).toBe(404);
    expect((await other.api.get(`${EVENTS}?${PRODUCTS}`)).body.data).toEqual([]);
    expect((await fixture.api.get(`${EVENTS}/evt_unknown`)).status).toBe(404);
  });
});
