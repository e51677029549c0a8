import { readdir, rm } from 'node:fs/promises';
import { type Api, requireData } from '../../../support/api.js';
import { type Command, CommandLine } from '../../../support/command-line.js';
import { Receiver } from '../../../support/receiver.js';
import { repeat, respondWith } from '../../../support/receiver-responses.js';
import { createTempFolder, type Service, startService, type TestBusiness } from '../../../support/service.js';
import { TcpProxy } from '../../../support/tcp-proxy.js';
import { verifyWebhook } from '../../../support/verify-webhook.js';
import { waitFor } from '../../../webhooks/webhook-fixture.js';

const SECRET = /whsec_[0-9A-Za-z+/]{43}=/;

let service: Service;
let business: TestBusiness;
let api: Api;
let receiver: Receiver;
let folder: string;
let ops: CommandLine;
let command: Command | null = null;
beforeAll(async () => {
  [service, receiver] = await Promise.all([startService(), Receiver.start()]);
  business = await service.createBusiness();
  api = service.createApi(await service.createKey(business, { mode: 'test' }));
  folder = await createTempFolder();
  ops = new CommandLine(folder);
});
afterEach(async () => {
  await command?.interrupt();
  command = null;
});
afterAll(async () => {
  await receiver.stop();
  await service.stop();
  await rm(folder, { recursive: true });
});

/** Waits until the list shows the event of the key, after which a listener starts. */
async function createKey(): Promise<string> {
  const key = await service.createKey(business, { mode: 'test', access: 'read_only' });
  await waitForEvent(key, 'A key');
  return key;
}

async function publish(name: string): Promise<string> {
  return requireData(await api.post('/v1/commerce/products', { name })).id as string;
}

async function startListening(path: string, key: string, words = ''): Promise<Command> {
  const address = `--forward-to ${receiver.url(path)} --url ${service.url}`;
  command = ops.start(`webhooks listen ${address} --key ${key}${words}`);
  await command.waitForOutput(SECRET);
  return command;
}

/** Returns the id of the latest event when it is that of this product. */
function waitForEvent(key: string, name: string): Promise<string> {
  return waitFor(async () => {
    const [last] = requireData(await service.createApi(key).get('/v1/webhooks/events?limit=1'));
    return last?.data.name === name ? (last.id as string) : null;
  });
}

function listReceivedNames(path: string): string[] {
  return receiver.requestsFor(path).map(({ body }) => JSON.parse(body).data.name);
}

describe('webhooks listen --key', () => {
  it('posts the events of a remote service without a store, signed with one secret for each key', async () => {
    const key = await createKey();
    const listen = await startListening('/remote', key);
    await publish('First');
    await publish('Second');
    const [request] = await receiver.waitForRequests('/remote', 2);
    await listen.waitForOutput(/(.* 200 .*\n){2}/);
    const { exitCode, out, err } = await listen.interrupt();
    const secret = SECRET.exec(out)![0];

    expect(verifyWebhook(request!, secret)).toMatchObject({ attempt: 1, test: false, data: { name: 'First' } });
    expect([listReceivedNames('/remote'), exitCode, err]).toEqual([['First', 'Second'], 0, '']);
    expect(SECRET.exec((await startListening('/unused', key)).out)![0]).toBe(secret);
    expect(await readdir(folder)).toEqual([]);
  });

  it('continues after a given event, and sends a failed one again', async () => {
    receiver.setResponses('/after', ...repeat(2, respondWith(500)), respondWith(200));
    const key = await createKey();
    await publish('Seen');
    const seen = await waitForEvent(key, 'Seen');
    await publish('Missed');
    const listen = await startListening('/after', key, ` --after ${seen} --json`);
    await listen.waitForOutput(/"success"/);
    const [opening, ...lines] = (await listen.interrupt()).out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

    expect(opening).toMatchObject({
      listening: { business: business.id, mode: 'test', goes_on: true, service: service.url },
    });
    expect(lines.map(({ forwarded }) => [forwarded.attempt, forwarded.status])).toEqual([
      [1, 'failed'],
      [2, 'failed'],
      [3, 'success'],
    ]);
    expect(new Set(listReceivedNames('/after'))).toEqual(new Set(['Missed']));
  });

  it('posts only events of the given types', async () => {
    const listen = await startListening('/types', await createKey(), ' --events product.review_requested --json');
    await publish('Chosen');
    await listen.waitForOutput(/"success"/);

    expect(listReceivedNames('/types')).toEqual(['Chosen']);
  });

  it('says once that the service went away, and once that it is back', async () => {
    const proxy = await TcpProxy.startFor(Number(new URL(service.url).port));
    const key = await createKey();
    const listen = ops.start(
      `webhooks listen --forward-to ${receiver.url('/back')} --url http://127.0.0.1:${proxy.port} --key ${key}`,
    );
    command = listen;
    await listen.waitForOutput(SECRET);
    proxy.refuseConnections();
    await listen.waitForOutput(/is lost/);
    await publish('Meanwhile');
    proxy.restore();
    await listen.waitForOutput(/ 200 /);
    const { err } = await listen.interrupt();
    proxy.close();

    expect(err).toMatch(
      /^the connection to http:\S+ is lost \(.+\); trying again\nhttp:\S+ can be reached again; listening\n$/,
    );
    expect(listReceivedNames('/back')).toEqual(['Meanwhile']);
  });

  it('posts what was published during an interruption before the first event', async () => {
    const proxy = await TcpProxy.startFor(Number(new URL(service.url).port));
    const unused = await service.createBusiness();
    const key = await service.createKey(unused, { mode: 'test' });
    const listen = ops.start(
      `webhooks listen --forward-to ${receiver.url('/first')} --url http://127.0.0.1:${proxy.port} --key ${key}`,
    );
    command = listen;
    await listen.waitForOutput(SECRET);
    proxy.refuseConnections();
    await listen.waitForOutput(/is lost/);
    for (const name of ['Early', 'Next']) {
      requireData(await service.createApi(key).post('/v1/commerce/products', { name }));
      await waitForEvent(key, name);
    }
    proxy.restore();
    await listen.waitForOutput(/(.* 200 .*\n){2}/);
    proxy.close();

    expect(listReceivedNames('/first')).toEqual(['Early', 'Next']);
  });

  it.each([
    ['a wrong key', () => `--url ${service.url} --key sk_test_wrong`, 1, /^the service responded with 401: .+\n$/],
    ['a service that is not there', () => '--url http://127.0.0.1:1 --key sk_test_a', 1, /cannot be reached: .+\n$/],
    ['an unknown event', async () => `--url ${service.url} --key ${await createKey()} --after evt_1`, 1, / 400: .+\n$/],
    ['--url without --key', () => `--url ${service.url}`, 2, /^error: --url and --after need --key\n/],
    ['--business with --key', () => '--key sk_test_a --business biz_1', 2, /cannot be used with option/],
    ['another protocol', () => '--key sk_test_a --url ftp://localhost', 2, /It must be an http or https URL/],
  ])('fails with one line for %s', async (_, createWords, code, said) => {
    const { exitCode, err } = await ops.run(`webhooks listen --forward-to ${receiver.url('/')} ${await createWords()}`);

    expect([exitCode, err]).toEqual([code, expect.stringMatching(said)]);
  });
});
