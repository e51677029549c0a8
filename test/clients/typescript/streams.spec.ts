import { createClient, isProblem, type WebhookEvent } from '../../../clients/typescript/src/index.ts';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/receiver.js';
import { type ReceiverResponse, reset, respondWith } from '../../support/receiver-responses.js';
import { type Service, startService } from '../../support/service.js';

const PATH = '/v1/webhooks/events/stream';
const OPENING = 'retry: 1\n\n';
/** Far more than the pauses that the server asks for, and less than those of the client by itself. */
const MAX_MS = 5_000;

const message = (id: string) => `id: ${id}\nevent: webhook.test\ndata: {"id":"${id}","type":"webhook.test"}\n\n`;

/** Sends these parts and ends the connection. */
const send =
  (...parts: readonly string[]): ReceiverResponse =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) response.write(part);
    response.end();
  };

describe('A stream of the client', () => {
  let server: Receiver;
  beforeEach(async () => {
    server = await Receiver.start();
  });
  afterEach(() => server.stop());

  const connect = (signal?: AbortSignal) =>
    createClient({ baseUrl: server.url('/'), apiKey: 'sk_test_1' }).webhooks.events.stream(undefined, { signal });

  async function take(count: number): Promise<string[]> {
    const ids: string[] = [];
    for await (const { id } of connect()) if (ids.push(id) === count) break;
    return ids;
  }

  it('continues after the last event when the connection is lost', async () => {
    server.setResponses(
      PATH,
      send(OPENING, message('evt_1'), ':\n\n', message('evt_2')),
      reset(),
      respondWith(503),
      send(message('evt_3').slice(0, 20)),
      send(message('evt_3')),
    );

    expect(await take(3)).toEqual(['evt_1', 'evt_2', 'evt_3']);
    expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual([
      undefined,
      ...Array<string>(4).fill('evt_2'),
    ]);
  });

  it('reads an event that arrives in parts', async () => {
    const [first, second] = [message('evt_1'), message('evt_2')];
    server.setResponses(
      PATH,
      send(OPENING + first.slice(0, 10), first.slice(10) + second.slice(0, 1), second.slice(1)),
    );

    expect(await take(2)).toEqual(['evt_1', 'evt_2']);
  });

  it('continues with the event during which its loop ended', async () => {
    server.setResponses(PATH, send(OPENING, message('evt_1'), message('evt_2'), message('evt_3')));
    const stream = connect();
    const ids: string[] = [];
    for await (const { id } of stream) if (ids.push(id) === 2) break;
    expect(stream.lastEventId).toBe('evt_1');

    for await (const { id } of stream) if (ids.push(id) === 3) break;
    expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'evt_1']);
  });

  it('continues with the event whose handling failed', async () => {
    server.setResponses(PATH, send(OPENING, message('evt_1'), message('evt_2')));
    const stream = connect();
    const failing = async () => {
      for await (const { id } of stream) if (id === 'evt_2') throw new Error('not handled');
    };

    await expect(failing()).rejects.toThrow('not handled');
    expect(stream.lastEventId).toBe('evt_1');
  });

  it('has no last event when its loop ended during the first', async () => {
    server.setResponses(PATH, send(OPENING, message('evt_1')));
    const stream = connect();
    for await (const event of stream) if (event.id === 'evt_1') break;

    expect(stream.lastEventId).toBeNull();
  });

  it('continues after the last event with an id when a later one has none', async () => {
    const withoutId = message('evt_2').replace('id: evt_2\n', '');
    server.setResponses(PATH, send(OPENING, message('evt_1'), withoutId), send(message('evt_3')));

    expect(await take(3)).toEqual(['evt_1', 'evt_2', 'evt_3']);
    expect(server.requests.at(-1)!.headers['last-event-id']).toBe('evt_1');
  });

  it('passes over messages without data', async () => {
    server.setResponses(PATH, send(OPENING, message('evt_1'), 'id: evt_2\nevent: webhook.test\n\n', message('evt_3')));

    expect(await take(2)).toEqual(['evt_1', 'evt_3']);
  });

  it('ends at data that is not JSON, and continues after the event before it', async () => {
    server.setResponses(PATH, send(OPENING, message('evt_1'), message('evt_2').replace('data: {', 'data: ')));
    const stream = connect();
    const reading = (async () => {
      for await (const { id } of stream) expect(id).toBe('evt_1');
    })();

    await expect(reading).rejects.toThrow(SyntaxError);
    expect(stream.lastEventId).toBe('evt_1');
  });

  it('connects again as soon as the server has once allowed, however often it is lost after an event', async () => {
    const ids = Array.from({ length: 16 }, (_, index) => `evt_${index}`);
    server.setResponses(PATH, send(OPENING), ...ids.map((id) => send(message(id))));
    const began = performance.now();

    expect(await take(16)).toEqual(ids);
    expect(performance.now() - began).toBeLessThan(MAX_MS);
  });

  it('waits as long as a service without capacity asks', async () => {
    server.setResponses(PATH, send(OPENING), respondWith(503, { 'retry-after': '1' }), send(message('evt_1')));
    await take(1);
    const [, refused, accepted] = server.requests;

    expect(accepted!.receivedAt - refused!.receivedAt).toBeGreaterThan(900);
  });

  it('ends with a problem that a later attempt would get too', async () => {
    const problem = { type: 'https://api.example/problems/invalid_credentials', title: 'No', status: 401, errors: [] };
    server.setResponses(PATH, respondWith(401, {}, JSON.stringify({ ...problem, code: 'invalid_credentials' })));
    const error: unknown = await take(1).catch((failure: unknown) => failure);

    expect(isProblem(error, 'invalid_credentials')).toBe(true);
    expect(server.requests).toHaveLength(1);
  });

  it('ends when its signal aborts', async () => {
    server.setResponses(PATH, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(message('evt_1'));
    });
    const controller = new AbortController();
    const ids: string[] = [];
    const reading = (async () => {
      for await (const { id } of connect(controller.signal)) {
        ids.push(id);
        controller.abort(new Error('enough'));
      }
    })();

    await expect(reading).rejects.toThrow('enough');
    expect(ids).toEqual(['evt_1']);
  });
});

describe('A stream of the client from the service', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('has every event of the business, in several loops', async () => {
    const apiKey = await service.createKey(await service.createBusiness());
    const { webhooks, commerce } = createClient({ baseUrl: service.url, apiKey });
    const products = [await commerce.products.create({ name: 'One' }), await commerce.products.create({ name: 'Two' })];
    const controller = new AbortController();
    const first = webhooks.events.stream({ after: await findFirst(webhooks) }, { signal: controller.signal });
    const events: WebhookEvent[] = [];
    for await (const event of first) if (events.push(event) === 1) break;
    products.push(await commerce.products.create({ name: 'Three' }));
    for await (const event of webhooks.events.stream({ after: events[0]!.id })) if (events.push(event) === 2) break;

    expect(events.map(({ data }) => (data as { id: string }).id)).toEqual(products.slice(1).map(({ id }) => id));
  });
});

type Webhooks = ReturnType<typeof createClient>['webhooks'];

/** Waits for the first event of the business. */
async function findFirst({ events }: Webhooks): Promise<string> {
  const found = await eventually(
    () => Array.fromAsync(events.list({ event_type: ['product.*'] })),
    ({ length }) => length > 0,
  );
  return found.at(-1)!.id;
}
