import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { eventually } from '../../support/eventually.js';
import { type Service, startService } from '../../support/service.js';
import { openSocket, readReply } from '../support/raw-http.js';

const HEAD_TIMEOUT_MS = 500;
/** The service destroys a rejected connection after this time. */
const CLOSE_MS = 500;

const services: Service[] = [];
async function start(env: Record<string, string>): Promise<Service> {
  const service = await startService(env);
  services.push(service);
  return service;
}
afterAll(() => Promise.all(services.map((service) => service.stop())));

/** Opens a connection whose client never closes its side. */
async function holdConnection(service: Service, bytes = ''): Promise<Socket> {
  const socket = openSocket(service.url);
  socket.allowHalfOpen = true;
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  socket.write(bytes);
  socket.resume();
  return socket;
}

const serverOf = (service: Service): Server => service.running.app.getHttpServer();

/** Returns the next connection, as the service sees it. */
const nextSocketOf = (service: Service) =>
  new Promise<Socket>((resolve) => serverOf(service).once('connection', (socket) => resolve(socket)));

const statusOf = async (service: Service, forwardedFor: string) => {
  const { status } = await service.createApi().get('/problems/not_found', { 'x-forwarded-for': forwardedFor });
  return status;
};

async function readPart(service: Service, name: string): Promise<{ status: string; detail: string }> {
  const reply = await fetch(`${service.running.opsUrl}/health/ready`);
  const { parts } = (await reply.json()) as { parts: Record<string, { status: string; detail: string }> };
  return parts[name]!;
}

describe('A connection that the service rejects', () => {
  it.each([
    ['sends nothing', ''],
    ['stops within its headers', 'GET /v1/auth/me HTTP/1.1\r\nHost: x\r\nX-Ha'],
    ['sends no HTTP', 'hello\r\n\r\n'],
    ['asks for a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
    ['has too many headers', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['has a few headers too many', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`],
    ['has an address that is too long', `GET /v1/auth/me?a=${'x'.repeat(9_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['has two hosts', 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
    [
      'announces a body that is too large',
      'POST /v1/businesses HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n{',
    ],
    ['names an unknown expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: a miracle\r\n\r\n'],
    ['has no credential and a slow body', 'POST /v1/businesses HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'],
    [
      'has a credential of no known form and a slow body',
      'POST /v1/businesses HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer garbage\r\nContent-Length: 9\r\n\r\n{',
    ],
  ])('is closed, although its client stays, when it %s', async (_, bytes) => {
    const service = await start({});
    serverOf(service).headersTimeout = HEAD_TIMEOUT_MS;
    const accepted = nextSocketOf(service);
    const socket = await holdConnection(service, bytes);

    await eventually(
      async () => (await accepted).destroyed,
      (isDestroyed) => isDestroyed,
    );
    socket.destroy();
  });
});

describe('A client whose request cannot be read', () => {
  it.each([
    ['headers', 431, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`],
    ['headers without an end', 431, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(60_000)}`],
    ['an address', 414, `GET /v1/auth/me?a=${'x'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a body', 413, 'POST /v1/businesses HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n{'],
  ])('gets the whole response and can go on sending, with too long %s', async (_, status, bytes) => {
    const service = await start({});
    const socket = await holdConnection(service, bytes);
    const failures: Error[] = [];
    const chunks: Buffer[] = [];
    socket.on('error', (error) => failures.push(error)).on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(socket, 'end');
    for (let i = 0; i < 4; i++) {
      await new Promise<void>((resolve) => socket.write('x'.repeat(10_000), () => resolve()));
      // The service, in the same process, reads in between.
      await new Promise(setImmediate);
    }

    const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*^content-type: application/problem\\+json\r$`, 'm'));
    expect([JSON.parse(body), failures]).toMatchObject([{ status }, []]);
    socket.destroy();
  });
});

describe('A connection with many requests', () => {
  const answers = ['GET /problems/not_found', 'GET /nothing', 'POST /v1/businesses', 'POST /v1/commerce/products'];

  it.each(answers)('keeps no listeners of %s', async (line) => {
    const service = await start({});
    const key = await service.createKey(await service.createBusiness());
    const credential = line.endsWith('products') ? `Authorization: Bearer ${key}\r\n` : '';
    const accepted = nextSocketOf(service);
    const socket = await holdConnection(service);
    const countListeners = async () => {
      const held = await accepted;
      return held.eventNames().map((name) => [name, held.listenerCount(name)]);
    };
    const before = await countListeners();
    for (let i = 0; i < 20; i++) {
      const answered = once(socket, 'data');
      socket.write(`${line} HTTP/1.1\r\nHost: x\r\n${credential}Content-Length: 2\r\n\r\n`);
      if (credential === '' && line.startsWith('POST')) await answered;
      socket.write('{}');
      await answered;
    }

    expect(await countListeners()).toEqual(before);
    socket.destroy();
  });
});

describe('A connection whose request was rejected before its body', () => {
  it('serves the next request when the body arrives', async () => {
    const service = await start({});
    const accepted = nextSocketOf(service);
    const head = 'POST /v1/businesses HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n';
    const socket = await holdConnection(service, head);
    await once(socket, 'data');
    socket.write('{}');
    await new Promise((resolve) => setTimeout(resolve, 2 * CLOSE_MS));

    expect((await accepted).destroyed).toBe(false);
    socket.write(head);
    await once(socket, 'data');
    socket.destroy();
  });
});

describe('One address', () => {
  it('gets no more connections than its limit', async () => {
    const service = await start({ CONNECTION_LIMIT: '20', CONNECTION_LIMIT_PER_ADDRESS: '2' });
    const held = [await holdConnection(service), await holdConnection(service)];
    const third = await readReply(openSocket(service.url)).catch(() => ({ status: 0 }));

    expect(third.status).toBe(0);
    expect(await readPart(service, 'connections')).toEqual({
      status: 'green',
      detail: '2 of 20 connections are open',
    });
    for (const socket of held) socket.destroy();
    await eventually(
      () => readPart(service, 'connections'),
      ({ detail }) => detail.startsWith('0'),
    );
    expect(await statusOf(service, '203.0.113.1')).toBe(200);
  });

  it('is the forwarded address only of a request from a trusted proxy', async () => {
    const trusting = await start({
      CONNECTION_LIMIT_PER_ADDRESS: '1',
      TRUSTED_PROXIES: '127.0.0.0/8',
    });
    const key = await trusting.createKey(await trusting.createBusiness());
    const slow = await holdConnection(
      trusting,
      `POST /v1/commerce/products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nX-Forwarded-For: 203.0.113.1\r\nContent-Length: 9\r\n\r\n{`,
    );
    await eventually(
      () => statusOf(trusting, '203.0.113.1'),
      (status) => status === 429,
    );

    expect(await statusOf(trusting, '203.0.113.2')).toBe(200);
    slow.destroy();
    await eventually(
      () => statusOf(trusting, '203.0.113.1'),
      (status) => status === 200,
    );
  });
});

describe('An idle connection', () => {
  it('is kept for 5 s without a valid credential, and longer with one', async () => {
    const service = await start({});
    const key = await service.createKey(await service.createBusiness());
    const timeoutAfter = async (header: string) => {
      const accepted = nextSocketOf(service);
      const socket = await holdConnection(service, `GET /v1/auth/me HTTP/1.1\r\nHost: x\r\n${header}\r\n`);
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      const timeout = (await accepted).timeout ?? 0;
      socket.destroy();
      return [timeout, /^keep-alive: (.*)\r$/im.exec(bytes.toString())?.[1]];
    };

    expect(await timeoutAfter('')).toEqual([5_000, 'timeout=5']);
    expect(await timeoutAfter('Authorization: Bearer a.b.c\r\n')).toEqual([5_000, 'timeout=5']);
    await service.createApi(key).get('/v1/auth/me');
    const [timeout, announced] = await timeoutAfter(`Authorization: Bearer ${key}\r\n`);
    expect(announced).toBe('timeout=72');
    expect(timeout).toBeGreaterThan(60_000);
  });
});

describe('Readiness', () => {
  it('is red when no connection is left', async () => {
    const service = await start({ CONNECTION_LIMIT: '2', CONNECTION_LIMIT_PER_ADDRESS: '2' });
    const held = [await holdConnection(service), await holdConnection(service)];

    expect(await readPart(service, 'connections')).toEqual({
      status: 'red',
      detail: '2 of 2 connections are open (CONNECTION_LIMIT)',
    });
    for (const socket of held) socket.destroy();
    await eventually(
      () => readPart(service, 'connections'),
      ({ status }) => status === 'green',
    );
  });
});
