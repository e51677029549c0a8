import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reset, status, times } from '../support/answers.js';
import { dataOf, type Api } from '../support/api.js';
import { CommandLine, type Command } from '../support/command-line.js';
import { Receiver } from '../support/receiver.js';
import { ServiceProcess } from '../support/service-process.js';
import { verified } from '../support/verified.js';

const SECRET = /whsec_[0-9A-Za-z+/]{43}=/;
const OCCURRENCE = 'product.review_requested';

let directory: string;
let ops: CommandLine;
let service: ServiceProcess;
let api: Api;
let receiver: Receiver;
let begun: Command | null = null;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ops-webhooks-'));
  ops = new CommandLine(directory);
  // `webhooks listen` ignores these restrictions of the service.
  service = await ServiceProcess.start(directory, { WEBHOOK_ALLOW_CIDRS: '', WEBHOOK_ALLOW_HTTP: 'false' });
  api = service.api(service.firstKey);
  receiver = await Receiver.start();
});
afterEach(async () => {
  await begun?.interrupt();
  begun = null;
});
afterAll(async () => {
  await receiver.stop();
  await service.stop();
  rmSync(directory, { recursive: true });
});

/** Starts a listener, and waits until it has printed its first line. */
async function listening(path: string, words = ''): Promise<Command> {
  begun = ops.begin(`webhooks listen --forward-to ${receiver.url(path)}${words}`);
  await begun.printed(SECRET);
  return begun;
}

/** Creates a product, which records a public event. */
async function occur(name: string, as = api): Promise<void> {
  dataOf(await as.post('/v1/commerce/products', { name }));
}

/** Returns the product names in the order in which the receiver got them. */
function told(path: string): string[] {
  return receiver.at(path).map(({ body }) => JSON.parse(body).data.name);
}

function linesOf(out: string): Record<string, Record<string, unknown>>[] {
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('webhooks listen', () => {
  it('posts new events, signed with the printed secret, and prints one line for each', async () => {
    await occur('Before');
    const listen = await listening('/live');
    await occur('First');
    await occur('Second');
    const [request] = await receiver.received('/live', 2);
    await listen.printed(/(.* 200 .*\n){2}/);
    const { exitCode, out, err } = await listen.interrupt();

    const event = verified(request!, SECRET.exec(out)![0]);
    expect(event).toMatchObject({ type: OCCURRENCE, attempt: 1, test: false, data: { object: 'product', name: 'First' } });
    expect(told('/live')).toEqual(['First', 'Second']);
    expect(out.trimEnd().split('\n')[1]).toMatch(new RegExp(`^\\S+Z  200  ${OCCURRENCE}  ${event.id}  \\d+ ms$`));
    expect([exitCode, err]).toEqual([0, '']);
  });

  it('continues where it stopped, and skips earlier events with --from-now', async () => {
    await (await listening('/again')).interrupt();
    await occur('Meanwhile');
    const second = await listening('/again');
    await receiver.received('/again');
    await second.printed(/ 200 /);
    await second.interrupt();
    await occur('Left out');
    const third = await listening('/again', ' --from-now');
    await occur('Afterwards');
    await receiver.received('/again', 2);
    await third.printed(/ 200 /);

    expect(told('/again')).toEqual(['Meanwhile', 'Afterwards']);
    expect([second.out, third.out]).toEqual([expect.stringMatching(/^continuing/), expect.stringMatching(/^listening/)]);
    expect(SECRET.exec(second.out)![0]).toBe(SECRET.exec(third.out)![0]);
  });

  it('loses no event when it stops during a request', async () => {
    receiver.answers('/cut', status(503));
    const first = await listening('/cut');
    await occur('Not taken');
    await receiver.received('/cut');
    await first.kill9();
    receiver.answers('/cut', status(204));
    await listening('/cut');
    await begun!.printed(/ 204 /);

    expect(new Set(told('/cut'))).toEqual(new Set(['Not taken']));
  });

  it('sends a failed event again in order and under its id, except after a 4xx', async () => {
    receiver.answers('/fails', status(500), reset(), status(410), status(200));
    const listen = await listening('/fails', ' --json');
    await occur('Refused in the end');
    await occur('Taken');
    await receiver.received('/fails', 4);
    await listen.printed(/"success"/);

    const [opening, ...lines] = linesOf((await listen.interrupt()).out);
    const event = { type: OCCURRENCE, mode: 'live' };
    expect(opening).toMatchObject({ listening: { forward_to: receiver.url('/fails'), event_types: ['*'], goes_on: false } });
    expect(lines.map(({ forwarded }) => forwarded)).toEqual([
      expect.objectContaining({ ...event, attempt: 1, status: 'failed', response_status: 500, repeated_in_ms: 500 }),
      expect.objectContaining({ ...event, attempt: 2, status: 'failed', reason: 'connection_reset', repeated_in_ms: 1_000 }),
      expect.objectContaining({ ...event, attempt: 2, status: 'failed', response_status: 410, repeated_in_ms: null }),
      expect.objectContaining({ ...event, attempt: 1, status: 'success', response_status: 200, reason: null, repeated_in_ms: null }),
    ]);
    expect(told('/fails')).toEqual([...Array<string>(3).fill('Refused in the end'), 'Taken']);
    expect(new Set(receiver.at('/fails').map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });

  it('reports an abandoned event, and continues with the next one', async () => {
    receiver.answers('/poison', ...times(5, status(500)), status(404), status(200));
    const listen = await listening('/poison');
    for (const name of ['Poison', 'Refused', 'Next']) await occur(name);
    await receiver.received('/poison', 7, 30_000);
    await listen.printed(/ 200 /);

    const said = (code: number, end: string) => new RegExp(`${code}  ${OCCURRENCE}  evt_\\S+  \\d+ ms  ${end}\n`);
    expect(listen.out).toMatch(said(500, 'abandoned'));
    expect(listen.out).toMatch(said(404, 'not sent again'));
    expect(told('/poison').at(-1)).toBe('Next');
  });

  it('waits for a receiver that is down', async () => {
    const server = createServer((request, response) => request.resume().on('end', () => response.end())).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, 'close');
    begun = ops.begin(`webhooks listen --forward-to 127.0.0.1:${port}`);
    await begun.printed(SECRET);
    await occur('Late');
    await begun.printed(/(connection_refused .* sent again in [^]*){2}/);
    server.listen(port, '127.0.0.1');
    await begun.printed(/ 200 /);
    server.close();
    server.closeAllConnections();
  });

  it('posts only events of the given types, business and mode', async () => {
    const { business } = await ops.document('businesses create --name Other --owner-sub bob');
    const keyOf = async (mode: string) => (await ops.document(`keys create --business ${business.id} --mode ${mode} --access full`)).secret;
    const [live, test] = [service.api(await keyOf('live')), service.api(await keyOf('test'))];
    const listen = await listening('/chosen', ` --events offer.sent,${OCCURRENCE} --business ${business.id} --mode test`);
    await occur('Of another business');
    await occur('In another mode', live);
    await occur('Asked for', test);
    await listen.printed(/ 200 /);
    await listen.interrupt();
    const other = await listening('/others', ' --events community.created');
    await occur('Of another type', test);
    dataOf(await api.post('/v1/community/communities', { name: 'A community' }));
    await other.printed(/ 200 /);

    expect(told('/chosen')).toEqual(['Asked for']);
    expect(receiver.at('/others').map(({ headers }) => headers['x-service-event-type'])).toEqual(['community.created']);
  });

  it('fails with one line for an unknown business', async () => {
    const { exitCode, err } = await ops.run(`webhooks listen --forward-to ${receiver.url('/')} --business biz_1`);

    expect([exitCode, err]).toEqual([1, 'there is no business biz_1\n']);
  });
});
