import type { Server } from 'node:http';
import { startService, type Service } from '../support/service.js';
import { faultsOfProblem } from './support/problems.js';
import { onTheWire, type RawReply } from './support/wire.js';

const SECOND_MS = 1_000;
const [HEAD_MS, BODY_MS] = [10_000, 30_000];
/** All timeouts are divided by this factor. */
const SHORTER = 10;
const HEAD = 'POST /v1/commerce/products HTTP/1.1\r\nHost: x\r\n';

let service: Service;
let server: Server;
let configured: readonly number[];
beforeAll(async () => {
  service = await startService();
  server = service.running.app.getHttpServer();
  configured = [server.headersTimeout, server.requestTimeout];
  server.headersTimeout /= SHORTER;
  server.requestTimeout /= SHORTER;
});
afterAll(() => service.stop());

async function answered(bytes: string): Promise<{ readonly reply: RawReply; readonly seconds: number }> {
  const begun = performance.now();
  const reply = await onTheWire(service.url, bytes);
  return { reply, seconds: (performance.now() - begun) / SECOND_MS };
}

describe('A request that stalls', () => {
  it('gets a 408 after 10 s in its headers or 30 s in its body, and only a 401 without a credential', async () => {
    const halfABody = 'Content-Length: 20\r\n\r\n{"na';
    const [head, body, refused] = await Promise.all([
      answered(`${HEAD}X-Ha`),
      answered(`${HEAD}Authorization: Bearer x\r\n${halfABody}`),
      answered(`${HEAD}${halfABody}`),
    ]);

    for (const { reply } of [head, body]) expect([reply.status, faultsOfProblem(reply)]).toEqual([408, []]);
    expect([refused.reply.status, faultsOfProblem(refused.reply)]).toEqual([401, []]);
    expect(configured).toEqual([HEAD_MS, BODY_MS]);
    expect(head.seconds).toBeGreaterThan(HEAD_MS / SHORTER / SECOND_MS);
    expect(body.seconds).toBeGreaterThan(BODY_MS / SHORTER / SECOND_MS);
  });
});
