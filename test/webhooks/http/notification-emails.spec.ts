import { EventStore } from '../../../src/kernel/event-store.js';
import { requireData } from '../../support/api.js';
import { forgetAddress } from '../../support/forget.js';
import { readWholeLog } from '../../support/read-whole-log.js';
import { toProblem, WebhookFixture } from '../webhook-fixture.js';

const PATH = '/v1/webhooks/endpoints';

let fixture: WebhookFixture;
beforeAll(async () => void (fixture = await WebhookFixture.start()));
afterAll(() => fixture.close());

const create = (notification_emails: unknown) =>
  fixture.api.post(PATH, { url: fixture.receiver.url('/'), notification_emails });
const createWith = async (...emails: string[]): Promise<string> => requireData(await create(emails)).id;
const readEmails = async (id: string) =>
  requireData(await fixture.api.get(`${PATH}/${id}`)).notification_emails as readonly string[];

describe('The notification addresses of an endpoint', () => {
  it('are trimmed, in lower case and NFC, and each is kept once', async () => {
    const body = requireData(
      await create([
        ' Ada@Example.com ',
        'ADA@example.com',
        'andre\u0301@bücher.example',
        'andré@xn--bcher-kva.example',
      ]),
    );
    expect(body.notification_emails).toEqual(['ada@example.com', 'andré@bücher.example']);
    expect(await readEmails(body.id)).toEqual(body.notification_emails);
  });

  it('are replaced as a whole, kept by a request without them, and removed by an empty list', async () => {
    const id = await createWith('ada@example.com', 'ben@example.com');
    const edit = async (body: object) => requireData(await fixture.editEndpoint(id, body)).notification_emails;
    expect(await edit({ description: 'Ours' })).toEqual(['ada@example.com', 'ben@example.com']);
    expect(await edit({ notification_emails: ['cleo@example.com'] })).toEqual(['cleo@example.com']);
    expect(await edit({ notification_emails: [] })).toEqual([]);
    expect(await readEmails(id)).toEqual([]);
  });

  it('change nothing when the same ones are sent again', async () => {
    const id = await createWith('ada@example.com');
    const before = requireData(await fixture.api.get(`${PATH}/${id}`));
    const after = requireData(await fixture.editEndpoint(id, { notification_emails: ['Ada@example.com'] }));
    expect(after.updated_at).toBe(before.updated_at);
  });

  it.each([
    ['six of them', Array.from({ length: 6 }, (_, i) => `a${i}@example.com`), ['notification_emails']],
    ['one text', 'ada@example.com', ['notification_emails']],
    ['null', null, ['notification_emails']],
    ['a text that is no address', ['ada@example.com', 'nobody'], ['notification_emails[1]']],
    ['an invisible character', ['ada\u200b@example.com'], ['notification_emails[0]']],
    ['a replacement character', ['ad\ufffd@example.com'], ['notification_emails[0]']],
    ['a number', [5], ['notification_emails[0]']],
    ['a line break within', ['ada@example.com\r\nBcc: eve@example.com'], ['notification_emails[0]']],
    ['too many characters', [`${'a'.repeat(250)}@example.com`], ['notification_emails[0]']],
  ])('refuse %s', async (_, emails, params) => {
    const { id } = await fixture.createEndpoint('/refused');
    for (const refused of [await create(emails), await fixture.editEndpoint(id, { notification_emails: emails })])
      expect(toProblem(refused)).toMatchObject({ status: 422, params });
    await fixture.api.delete(`${PATH}/${id}`);
  });

  it('are encrypted in the log, and left out once their person is forgotten', async () => {
    const id = await createWith('dora@example.com', 'eve@example.com');
    expect(JSON.stringify(await readWholeLog(fixture.service.get(EventStore)))).not.toContain('dora@');

    await forgetAddress(fixture.service, 'dora@example.com');

    expect(await readEmails(id)).toEqual(['eve@example.com']);
    const [listed] = requireData(await fixture.api.get(PATH)).filter((endpoint: { id: string }) => endpoint.id === id);
    expect(listed.notification_emails).toEqual(['eve@example.com']);
    const history = requireData(await fixture.api.get(`/v1/audit/events?resource=${id}`));
    expect(JSON.stringify(history)).not.toContain('dora@');
  });
});
