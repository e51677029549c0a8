import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClientOptions, createClient } from '../../../clients/typescript/src/index.ts';
import { VERSION } from '../../../clients/typescript/src/user-agent.ts';
import { Receiver } from '../../support/receiver.js';
import { respondWith } from '../../support/receiver-responses.js';

const PACKAGE = join(import.meta.dirname, '../../../clients/typescript/package.json');
const BASE_URL = 'http://127.0.0.1:3000';
const SECRET_KEY = 'sk_test_secret';

const create = (options: Partial<Record<keyof ClientOptions, unknown>>) => () =>
  createClient({ baseUrl: BASE_URL, apiKey: SECRET_KEY, ...options } as ClientOptions);

describe('A client without a usable option', () => {
  it.each([
    ['a missing key', { apiKey: undefined }, 'apiKey is missing: an API key or a token is required'],
    ['a key that is null', { apiKey: null }, 'apiKey is missing'],
    ['an empty key', { apiKey: '' }, 'apiKey is empty'],
    ['a blank key', { apiKey: ' \n' }, 'apiKey is missing'],
    ['a key with a line break', { apiKey: 'sk_test\nsecret' }, 'apiKey contains a space or another character'],
    ['a key with a typographic dash', { apiKey: 'sk_test–secret' }, 'apiKey contains a space or another character'],
    ['no address', { baseUrl: undefined }, 'baseUrl is missing'],
    ['an address without a scheme', { baseUrl: 'localhost:3000' }, 'must begin with https:// or http://'],
    ['a host only', { baseUrl: 'api.example.com' }, 'baseUrl is not a URL such as https://api.example.com'],
    ['an impossible port', { baseUrl: 'http://localhost:99999' }, 'baseUrl is not a URL'],
    ['a query', { baseUrl: `${BASE_URL}?a=1` }, 'must not contain a user, a password, a query'],
    ['a password', { baseUrl: 'http://user:secret@localhost' }, 'must not contain a user, a password'],
  ])('is refused when it is created: %s', (_, options, message) => {
    expect(create(options)).toThrow(TypeError);
    expect(create(options)).toThrow(message);
  });

  it.each([{ apiKey: 'sk_test\nsecret' }, { baseUrl: 'http://user:secret@localhost' }])(
    'does not repeat a secret in the message',
    (options) => expect(create(options)).toThrow(expect.not.stringContaining('secret')),
  );

  it('is refused when the function for the key returns none', async () => {
    const client = create({ apiKey: () => Promise.resolve(undefined) })();

    await expect(client.identity.caller.retrieve()).rejects.toThrow('The result of the function apiKey is missing');
  });
});

describe('An option of a client', () => {
  let server: Receiver;
  beforeEach(async () => {
    server = await Receiver.start();
    server.setResponses('/v1/auth/me', respondWith(200, {}, '{"data":{}}'));
  });
  afterEach(() => server.stop());

  async function send(options: Partial<ClientOptions>) {
    await createClient({ baseUrl: server.url(), apiKey: SECRET_KEY, ...options }).identity.caller.retrieve();
    return server.requests[0]!.headers;
  }

  it.each(['/', '///', ''])('is an address that ends with %j', async (end) => {
    await send({ baseUrl: server.url('').replace(/\/$/, '') + end });

    expect(server.requestsFor('/v1/auth/me')).toHaveLength(1);
  });

  it('is a key with a line break at its end, as a file has it', async () =>
    expect((await send({ apiKey: `${SECRET_KEY}\n` })).authorization).toBe(`Bearer ${SECRET_KEY}`));

  it('stays in force when a call passes undefined', async () => {
    const client = createClient({ baseUrl: server.url(), apiKey: SECRET_KEY, mode: 'test' });
    await client.identity.caller.retrieve({ mode: undefined, apiKey: undefined });

    expect(server.requests[0]!.headers).toMatchObject({
      authorization: `Bearer ${SECRET_KEY}`,
      'x-service-mode': 'test',
    });
  });

  it('names the application after the client and the runtime', async () => {
    const appInfo = { name: 'shop', version: '2.1', url: 'https://shop.example' };
    const { 'user-agent': userAgent } = await send({ appInfo });

    expect(userAgent).toMatch(
      /^event-sourced-api-client\/\d+\.\d+\.\d+ (Node\.js\/\d+ )?shop\/2\.1 \(https:\/\/shop\.example\)$/,
    );
  });

  it('can replace the user agent', async () =>
    expect((await send({ headers: { 'user-agent': 'mine' } }))['user-agent']).toBe('mine'));

  it('names the version of the package', async () =>
    expect(VERSION).toBe((JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string }).version));
});
