import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Api, requireData } from '../../../support/api.js';
import { type Command, CommandLine } from '../../../support/command-line.js';
import { eventually } from '../../../support/eventually.js';
import { Receiver } from '../../../support/receiver.js';
import { repeat, reset, respondWith } from '../../../support/receiver-responses.js';
import { type Service, startServiceOn } from '../../../support/service.js';
import { verifyWebhook } from '../../../support/verify-webhook.js';

const SECRET = /whsec_[0-9A-Za-z+/]{43}=/;
/** Time limit of a test that runs several commands in sequence. */
const LONG_MS = 120_000;
const OCCURRENCE = 'product.review_requested';

let directory: string;
let ops: CommandLine;
let service: Service;
let api: Api;
let receiver: Receiver;
let command: Command | null = null;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ops-webhooks-'));
  ops = new CommandLine(directory);
  // `webhooks listen` ignores these restrictions of the service.
  service = await startServiceOn(directory, { WEBHOOK_ALLOW_CIDRS: '', WEBHOOK_ALLOW_HTTP: 'false' });
  api = service.createApi(await service.createKey(await service.createBusiness()));
  receiver = await Receiver.start();
});
afterEach(async () => {
  await command?.interrupt();
  command = null;
});
afterAll(async () => {
  await receiver.stop();
  await service.close();
  rmSync(directory, { recursive: true });
});

/** Starts a listener, and waits until it has printed its first line. */
async function startListening(path: string, words = ''): Promise<Command> {
  command = ops.start(`webhooks listen --forward-to ${receiver.url(path)}${words}`);
  await command.waitForOutput(SECRET);
  return command;
}

/** Creates a product, and resolves when its public event is recorded. */
async function recordPublicEvent(name: string, as = api): Promise<void> {
  const { id } = requireData(await as.post('/v1/commerce/products', { name }));
  await eventually(
    async () => requireData(await as.get(`/v1/webhooks/events?resource=${id}`)),
    ({ length }) => length === 1,
  );
}

/** Returns the product names in the order in which the receiver got them. */
function listReceivedNames(path: string): string[] {
  return receiver.requestsFor(path).map(({ body }) => JSON.parse(body).data.name);
}

function readLines(out: string): Record<string, Record<string, unknown>>[] {
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('webhooks listen', () => {
  it('posts new events, signed with the printed secret, and prints one line for each', async () => {
    await recordPublicEvent('Before');
    const listen = await startListening('/live');
    await recordPublicEvent('First');
    await recordPublicEvent('Second');
    const [request] = await receiver.waitForRequests('/live', 2);
    await listen.waitForOutput(/(.* 200 .*\n){2}/);
    const { exitCode, out, err } = await listen.interrupt();

    const event = verifyWebhook(request!, SECRET.exec(out)![0]);
    expect(event).toMatchObject({
      type: OCCURRENCE,
      attempt: 1,
      test: false,
      data: { object: 'product', name: 'First' },
    });
    expect(listReceivedNames('/live')).toEqual(['First', 'Second']);
    expect(out.trimEnd().split('\n')[1]).toMatch(new RegExp(`^\\S+Z  200  ${OCCURRENCE}  ${event.id}  \\d+ ms$`));
    expect([exitCode, err]).toEqual([0, '']);
  });

  it('continues where it stopped, and skips earlier events with --from-now', async () => {
    await (await startListening('/again')).interrupt();
    await recordPublicEvent('Meanwhile');
    const second = await startListening('/again');
    await receiver.waitForRequests('/again');
    await second.waitForOutput(/ 200 /);
    await second.interrupt();
    await recordPublicEvent('Left out');
    const third = await startListening('/again', ' --from-now');
    await recordPublicEvent('Afterwards');
    await receiver.waitForRequests('/again', 2);
    await third.waitForOutput(/ 200 /);

    expect(listReceivedNames('/again')).toEqual(['Meanwhile', 'Afterwards']);
    expect([second.out, third.out]).toEqual([
      expect.stringMatching(/^continuing/),
      expect.stringMatching(/^listening/),
    ]);
    expect(SECRET.exec(second.out)![0]).toBe(SECRET.exec(third.out)![0]);
  });

  it('loses no event when it stops during a request', async () => {
    receiver.setResponses('/cut', respondWith(503));
    const first = await startListening('/cut');
    await recordPublicEvent('Not taken');
    await receiver.waitForRequests('/cut');
    await first.kill9();
    receiver.setResponses('/cut', respondWith(204));
    await startListening('/cut');
    await command!.waitForOutput(/ 204 /);

    expect(new Set(listReceivedNames('/cut'))).toEqual(new Set(['Not taken']));
  });

  it('sends a failed event again in order and under its id, except after a 4xx', async () => {
    receiver.setResponses('/fails', respondWith(500), reset(), respondWith(410), respondWith(200));
    const listen = await startListening('/fails', ' --json');
    await recordPublicEvent('Refused in the end');
    await recordPublicEvent('Taken');
    await receiver.waitForRequests('/fails', 4);
    await listen.waitForOutput(/"success"/);

    const [opening, ...lines] = readLines((await listen.interrupt()).out);
    const event = { type: OCCURRENCE, mode: 'live' };
    expect(opening).toMatchObject({
      listening: { forward_to: receiver.url('/fails'), event_types: ['*'], goes_on: false },
    });
    expect(lines.map(({ forwarded }) => forwarded)).toEqual([
      expect.objectContaining({ ...event, attempt: 1, status: 'failed', response_status: 500, repeated_in_ms: 500 }),
      expect.objectContaining({
        ...event,
        attempt: 2,
        status: 'failed',
        reason: 'connection_reset',
        repeated_in_ms: 1_000,
      }),
      expect.objectContaining({ ...event, attempt: 3, status: 'failed', response_status: 410, repeated_in_ms: null }),
      expect.objectContaining({
        ...event,
        attempt: 1,
        status: 'success',
        response_status: 200,
        reason: null,
        repeated_in_ms: null,
      }),
    ]);
    expect(listReceivedNames('/fails')).toEqual([...Array<string>(3).fill('Refused in the end'), 'Taken']);
    const requests = receiver.requestsFor('/fails');
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
    // No two requests have the same number, also after a reset whose request the receiver got.
    expect(requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3', '1']);
  });

  it('reports an abandoned event, and continues with the next one', async () => {
    receiver.setResponses('/poison', ...repeat(5, respondWith(500)), respondWith(404), respondWith(200));
    const listen = await startListening('/poison');
    for (const name of ['PoisonEvent', 'Refused', 'Next']) await recordPublicEvent(name);
    await receiver.waitForRequests('/poison', 7, 30_000);
    await listen.waitForOutput(/ 200 /);

    const said = (code: number, end: string) => new RegExp(`${code}  ${OCCURRENCE}  evt_\\S+  \\d+ ms  ${end}\n`);
    expect(listen.out).toMatch(said(500, 'abandoned'));
    expect(listen.out).toMatch(said(404, 'not sent again'));
    expect(listReceivedNames('/poison').at(-1)).toBe('Next');
  });

  it('waits for a receiver that is down', async () => {
    const server = createServer((request, response) => request.resume().on('end', () => response.end())).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, 'close');
    command = ops.start(`webhooks listen --forward-to 127.0.0.1:${port}`);
    await command.waitForOutput(SECRET);
    await recordPublicEvent('Late');
    await command.waitForOutput(/(connection_refused .* sent again in [^]*){2}/);
    server.listen(port, '127.0.0.1');
    await command.waitForOutput(/ 200 /);
    server.close();
    server.closeAllConnections();
  });

  it(
    'posts only events of the given types, business and mode',
    async () => {
      const { business } = await ops.runForDocument('businesses create --name Other --owner-sub bob');
      const keyOf = async (mode: string) =>
        (await ops.runForDocument(`keys create --business ${business.id} --mode ${mode} --access full`)).secret;
      const [live, test] = [service.createApi(await keyOf('live')), service.createApi(await keyOf('test'))];
      const listen = await startListening(
        '/chosen',
        ` --events offer.sent,${OCCURRENCE} --business ${business.id} --mode test`,
      );
      await recordPublicEvent('Of another business');
      await recordPublicEvent('In another mode', live);
      await recordPublicEvent('Asked for', test);
      await listen.waitForOutput(/ 200 /);
      await listen.interrupt();
      const other = await startListening('/others', ' --events community.created');
      await recordPublicEvent('Of another type', test);
      requireData(await api.post('/v1/community/communities', { name: 'A community' }));
      await other.waitForOutput(/ 200 /);

      expect(listReceivedNames('/chosen')).toEqual(['Asked for']);
      expect(receiver.requestsFor('/others').map(({ headers }) => headers['x-service-event-type'])).toEqual([
        'community.created',
      ]);
    },
    LONG_MS,
  );

  it('fails with one line for an unknown business', async () => {
    const { exitCode, err } = await ops.run(`webhooks listen --forward-to ${receiver.url('/')} --business biz_1`);

    expect([exitCode, err]).toEqual([1, 'there is no business biz_1\n']);
  });

  it.each([
    'http://user:secret@localhost/a',
    'http://localhost/\u202egnp.exe',
    'http://local\u200bhost/a',
    'ftp://localhost',
  ])('refuses to forward to %j, in the form of wrong usage', async (url) => {
    const { exitCode, err } = await ops.run(`webhooks listen --forward-to ${url}`);
    expect(exitCode).toBe(2);
    expect(err).toContain('It must be an http or https URL such as http://localhost:4242/hooks.');
  });

  it('refuses a type that endpoints cannot subscribe to, in the form of wrong usage', async () => {
    const refuse = (types: string) => ops.run(`webhooks listen --forward-to ${receiver.url('/')} --events ${types}`);

    expect(await refuse('offer.sent,bogus')).toMatchObject({
      exitCode: 2,
      err: "error: option '--events <types>' argument 'offer.sent,bogus' is invalid. bogus: The event type does not exist.\n",
    });
    expect((await refuse('webhook.test')).err).toContain('Endpoints cannot subscribe to this event type.');
  });

  it('says at once that no service runs on the store', async () => {
    const other = mkdtempSync(join(tmpdir(), 'ops-webhooks-'));
    await (await startServiceOn(other)).close();
    const listen = new CommandLine(other).start(`webhooks listen --forward-to ${receiver.url('/nothing')}`);
    command = listen;
    await listen.waitForOutput(/no service runs/);
    const { err } = await listen.interrupt();
    rmSync(other, { recursive: true });

    expect(err).toMatch(/^no service runs on this store, .*DATA_DIR.*\n$/);
  });
});
