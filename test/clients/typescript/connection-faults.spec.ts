import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ConnectionError, createClient, UnexpectedResponseError } from '../../../clients/typescript/src/index.ts';
import { findFreePort } from '../../support/free-port.js';
import { Receiver } from '../../support/receiver.js';
import { hang, type ReceiverResponse, redirect, reset, respondWith } from '../../support/receiver-responses.js';

const CERTIFICATES = join(import.meta.dirname, '../../support/eventstoredb');
const ME = '/v1/auth/me';

/** Begins a body and cuts the connection. */
const cut: ReceiverResponse = (request, response) => {
  response.writeHead(200, { 'content-length': 1000 });
  response.write('{"data":', () => request.socket.resetAndDestroy());
};

let server: Receiver;
beforeEach(async () => {
  server = await Receiver.start();
});
afterEach(() => server.stop());

async function failAt(baseUrl: string, options: object = {}): Promise<Error> {
  const client = createClient({ baseUrl, apiKey: 'sk_test_1', maxRetries: 0, ...options });
  const error: unknown = await client.request('GET', ME, { query: { a: 1 } }).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(Error);
  return error as Error;
}

describe('A connection error of the client', () => {
  it('says that the connection was refused, and by which address', async () => {
    const address = `127.0.0.1:${await findFreePort()}`;
    const error = await failAt(`http://${address}`);

    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      fault: 'refused',
      message: `GET http://${address}${ME} got no complete response (refused): connect ECONNREFUSED ${address}`,
    });
  });

  it.each([
    ['timeout', 'without a response', hang(), 'no complete response within 100 ms'],
    ['closed', 'without a response', reset(), 'ECONNRESET|other side closed'],
    ['closed', 'within a response', cut, 'ECONNRESET|other side closed|terminated'],
  ])('says %s %s', async (fault, _, response, reason) => {
    const client = createClient({ baseUrl: server.url(), apiKey: 'sk_test_1', maxRetries: 0, timeoutMs: 100 });
    server.setResponses(ME, response);
    const call = client.identity.caller.retrieve();

    await expect(call).rejects.toMatchObject({
      fault,
      message: expect.stringMatching(
        `^GET http://127.0.0.1:\\d+${ME} got no complete response \\(${fault}\\): .*(${reason})`,
      ),
    });
  });

  // Recorded from the runtimes.
  it.each([
    ['dns', 'Node', 'ENOTFOUND', 'getaddrinfo ENOTFOUND refused.example'],
    ['dns', 'Node', 'EAI_AGAIN', 'getaddrinfo EAI_AGAIN api.example'],
    [
      'dns',
      'Deno',
      undefined,
      'error sending request for url (https://TLS_CERT.example/): client error (Connect): dns error: failed to lookup address information: Name or service not known',
    ],
    [
      'refused',
      'Deno',
      undefined,
      'error sending request for url (http://127.0.0.1:3/): client error (Connect): tcp connect error: Connection refused (os error 111)',
    ],
    ['refused', 'Bun', 'ECONNREFUSED', 'ECONNREFUSED: Unable to connect. Is the computer able to access the url?'],
    ['closed', 'Deno', undefined, 'Connection reset by peer (os error 104)'],
    ['closed', 'Bun', 'ECONNRESET', 'ECONNRESET: The socket connection was closed unexpectedly.'],
    ['network', 'workerd', undefined, 'Network connection lost.'],
    [
      'tls',
      'Deno',
      undefined,
      'error sending request for url (https://127.0.0.1/): client error (Connect): invalid peer certificate: UnknownIssuer',
    ],
    ['tls', 'Bun', 'EPROTO', 'EPROTO: The TLS handshake failed. Does the server speak TLS on this port?'],
    ['timeout', 'Node', 'UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error'],
    ['network', 'Chromium', undefined, 'Failed to fetch'],
    ['network', 'Node', undefined, 'bad port'],
  ])('says %s for an error of %s: %s %s', async (fault, _, code, message) => {
    const cause = new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
    const error = await failAt('http://127.0.0.1', { fetch: () => Promise.reject(cause) });

    expect(error).toMatchObject({ fault, cause, message: expect.stringContaining(message) });
  });

  it('finds the fault of a host with several addresses', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED ::1:3000'), { code: 'ECONNREFUSED' });
    const cause = new TypeError('fetch failed', { cause: new AggregateError([refused], '') });

    expect(await failAt('http://localhost', { fetch: () => Promise.reject(cause) })).toMatchObject({
      fault: 'refused',
      message: expect.stringMatching(/::1:3000$/),
    });
  });

  it('ends for causes in a circle', async () => {
    const circle = new Error('one');
    circle.cause = circle;

    expect(await failAt('http://localhost', { fetch: () => Promise.reject(circle) })).toMatchObject({
      fault: 'network',
    });
  });
});

describe('A certificate that the runtime does not trust', () => {
  let secure: Server;
  beforeAll(async () => {
    const [key, cert] = await Promise.all(['key', 'crt'].map((end) => readFile(join(CERTIFICATES, `server.${end}`))));
    secure = createServer({ key, cert }).listen(0, '127.0.0.1');
    await new Promise((resolve) => secure.once('listening', resolve));
  });
  afterAll(() => new Promise((resolve) => secure.close(resolve)));

  it('ends the call at once', async () => {
    const attempts: number[] = [];
    const error = await failAt(`https://127.0.0.1:${(secure.address() as AddressInfo).port}`, {
      maxRetries: 5,
      onRequest: ({ attempt }: { attempt: number }) => attempts.push(attempt),
    });

    expect(error).toMatchObject({ fault: 'tls', message: expect.stringContaining('certificate') });
    expect(attempts).toEqual([1]);
  });
});

describe('A request that never left', () => {
  it('is repeated, also when the service would run it twice', async () => {
    const baseUrl = `http://127.0.0.1:${await findFreePort()}`;
    const attempts: number[] = [];
    const onRequest = ({ attempt }: { attempt: number }) => void attempts.push(attempt);
    const client = createClient({ baseUrl, apiKey: 'sk_test_1', maxRetries: 2, backoffMs: 1, onRequest });

    await expect(client.community.posts.create('com_1', { content: 'Hello' })).rejects.toMatchObject({
      fault: 'refused',
      idempotencyKey: expect.any(String),
    });
    expect(attempts).toEqual([1, 2, 3]);
  });
});

describe('A response of something else', () => {
  it('is named with its request, its status and its redirection', async () => {
    server.setResponses(`${ME}?a=1`, redirect('https://api.example/', 301), respondWith(403, {}, '<h1>Forbidden</h1>'));
    const [moved, forbidden] = [await failAt(server.url()), await failAt(server.url())];

    expect(moved).toBeInstanceOf(UnexpectedResponseError);
    expect(moved.message).toBe(
      `GET ${server.url(ME)} got an unexpected response with status 301 to https://api.example/:`,
    );
    expect(forbidden).toMatchObject({
      status: 403,
      message: `GET ${server.url(ME)} got an unexpected response with status 403: <h1>Forbidden</h1>`,
    });
  });
});
