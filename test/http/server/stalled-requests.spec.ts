import type { Server } from 'node:http';
import { type Service, startService } from '../../support/service.js';
import { validateProblem } from '../support/problems.js';
import { type RawReply, sendRaw } from '../support/raw-http.js';

const SECOND_MS = 1_000;
const [HEAD_MS, BODY_MS] = [10_000, 30_000];
/** All timeouts are divided by this factor. */
const SPEED_UP_FACTOR = 10;
const HEAD = 'POST /v1/commerce/products HTTP/1.1\r\nHost: x\r\n';

let service: Service;
let server: Server;
let configured: readonly number[];
beforeAll(async () => {
  service = await startService();
  server = service.running.app.getHttpServer();
  configured = [server.headersTimeout, server.requestTimeout];
  server.headersTimeout /= SPEED_UP_FACTOR;
  server.requestTimeout /= SPEED_UP_FACTOR;
});
afterAll(() => service.stop());

async function measureReply(bytes: string): Promise<{ readonly reply: RawReply; readonly seconds: number }> {
  const startedAt = performance.now();
  const reply = await sendRaw(service.url, bytes);
  return { reply, seconds: (performance.now() - startedAt) / SECOND_MS };
}

describe('A request that stalls', () => {
  it('gets a 408 after 10 s in its headers or 30 s in its body, and only a 401 without a credential', async () => {
    const key = await service.createKey(await service.createBusiness());
    const partialBody = 'Content-Length: 20\r\n\r\n{"na';
    const [head, body, refused] = await Promise.all([
      measureReply(`${HEAD}X-Ha`),
      measureReply(`${HEAD}Authorization: Bearer ${key}\r\n${partialBody}`),
      measureReply(`${HEAD}${partialBody}`),
    ]);

    for (const { reply } of [head, body]) expect([reply.status, validateProblem(reply)]).toEqual([408, []]);
    expect([refused.reply.status, validateProblem(refused.reply)]).toEqual([401, []]);
    expect(configured).toEqual([HEAD_MS, BODY_MS]);
    expect(head.seconds).toBeGreaterThan(HEAD_MS / SPEED_UP_FACTOR / SECOND_MS);
    expect(body.seconds).toBeGreaterThan(BODY_MS / SPEED_UP_FACTOR / SECOND_MS);
  });
});
