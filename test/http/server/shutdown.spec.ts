import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { writeKeys } from '../../support/external-stores/external-stores.js';
import { createTempFolder } from '../../support/service.js';
import { ServiceProcess } from '../../support/service-process.js';
import { waitFor } from '../../webhooks/webhook-fixture.js';
import { openSocket } from '../support/raw-http.js';

const KEEP_ALIVE_REQUEST = 'GET /problems/not_found HTTP/1.1\r\nHost: x\r\n\r\n';
const PARTIAL_HEAD = 'GET /problems/not_found HTTP/1.1\r\nHost: x\r\nX-Ha';
/** The form of a cart token: only a lookup could tell that it is unknown. */
const UNKNOWN_TOKEN = `ct_${'0'.repeat(26)}_${'A'.repeat(43)}`;
const PARTIAL_BODY = `POST /v1/commerce/products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${UNKNOWN_TOKEN}\r\nExpect: 100-continue\r\nContent-Length: 20\r\n\r\n{"na`;
const IDLE_CONNECTION = '';
/** Requests that get a response or a 100 Continue. */
const RESPONDED = [KEEP_ALIVE_REQUEST, PARTIAL_BODY];
/** A second signal within this time counts as the same signal. */
const SAME_SIGNAL_MS = 500;
/** The time for a process to start on a busy machine. */
const START_TIMEOUT_MS = 60_000;

let dataDir: string;
let service: ServiceProcess;
let sockets: Socket[];
beforeEach(async () => {
  dataDir = await createTempFolder();
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  if (service.isRunning) await service.kill9();
  await rm(dataDir, { recursive: true, force: true });
});

/** Opens a connection, sends the bytes, and leaves the connection open. */
async function openConnection(bytes: string): Promise<void> {
  const socket = openSocket(service.url).on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(bytes);
  if (RESPONDED.includes(bytes)) await once(socket, 'data');
}

async function stopService(): Promise<{ readonly code: number | null; readonly ms: number }> {
  const startedAt = performance.now();
  const code = await service.stop();
  return { code, ms: performance.now() - startedAt };
}

describe('A service that gets a termination signal', () => {
  beforeEach(async () => {
    service = await ServiceProcess.start(dataDir);
  });

  it('stops gracefully and at once with kept, idle and stalled connections', async () => {
    await Promise.all([KEEP_ALIVE_REQUEST, KEEP_ALIVE_REQUEST, IDLE_CONNECTION, PARTIAL_HEAD].map(openConnection));
    const { code, ms } = await stopService();

    expect(code).toBe(0);
    expect(ms).toBeLessThan(5_000);
  });

  it('stops gracefully within 10 s with an incomplete body', async () => {
    await openConnection(PARTIAL_BODY);
    const { code, ms } = await stopService();

    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
  });

  it('stops at once after a second signal', async () => {
    await openConnection(PARTIAL_BODY);
    const ending = stopService();
    await delay(2 * SAME_SIGNAL_MS);
    process.kill(service.pid, 'SIGTERM');
    const { code, ms } = await ending;

    expect(code).toBe(1);
    expect(ms).toBeLessThan(5_000);
  });
});

describe('A service that gets a termination signal during its start', () => {
  it(
    'stops gracefully and at once',
    async () => {
      const unreachable = { EVENT_STORE: 'esdb://127.0.0.1:1?tls=false', MONGODB_URL: 'mongodb://127.0.0.1:1/service' };
      service = new ServiceProcess(dataDir, { ...unreachable, ...(await writeKeys(dataDir)) });
      const refused = expect(service.ready).rejects.toThrow('ended before it was ready (0)');
      await waitFor(async () => (service.output.includes('waiting for the stores') ? service : null), START_TIMEOUT_MS);

      expect(await service.stop()).toBe(0);
      await refused;
    },
    2 * START_TIMEOUT_MS,
  );
});
