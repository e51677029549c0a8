import { rm } from 'node:fs/promises';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { keysIn } from '../support/real-stores/real-stores.js';
import { freshFolder } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';
import { eventually } from '../webhooks/desk.js';
import { opened } from './support/wire.js';

const ANSWERED_AND_KEPT = 'GET /problems/not_found HTTP/1.1\r\nHost: x\r\n\r\n';
const HALF_A_HEAD = 'GET /problems/not_found HTTP/1.1\r\nHost: x\r\nX-Ha';
const HALF_A_BODY =
  'POST /v1/commerce/products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nExpect: 100-continue\r\nContent-Length: 20\r\n\r\n{"na';
const SILENT = '';
/** Requests that get a response or a 100 Continue. */
const ANSWERED = [ANSWERED_AND_KEPT, HALF_A_BODY];
/** A second signal within this time counts as the same signal. */
const SAME_SIGNAL_MS = 500;
/** The time for a process to start on a busy machine. */
const START_MS = 60_000;

let dataDir: string;
let service: ServiceProcess;
let sockets: Socket[];
beforeEach(async () => {
  dataDir = await freshFolder();
  service = await ServiceProcess.start(dataDir);
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  if (service.isRunning) await service.kill9();
  await rm(dataDir, { recursive: true, force: true });
});

/** Opens a connection, sends the bytes, and leaves the connection open. */
async function holding(bytes: string): Promise<void> {
  const socket = opened(service.url).on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(bytes);
  if (ANSWERED.includes(bytes)) await once(socket, 'data');
}

async function stopped(): Promise<{ readonly code: number | null; readonly ms: number }> {
  const begun = performance.now();
  const code = await service.stop();
  return { code, ms: performance.now() - begun };
}

describe('A service that gets a termination signal', () => {
  it('stops gracefully and at once with kept, idle and stalled connections', async () => {
    await Promise.all([ANSWERED_AND_KEPT, ANSWERED_AND_KEPT, SILENT, HALF_A_HEAD].map(holding));
    const { code, ms } = await stopped();

    expect(code).toBe(0);
    expect(ms).toBeLessThan(5_000);
  });

  it('stops gracefully within 10 s with an incomplete body', async () => {
    await holding(HALF_A_BODY);
    const { code, ms } = await stopped();

    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
  });

  it('stops at once after a second signal', async () => {
    await holding(HALF_A_BODY);
    const ending = stopped();
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
      const nobody = { EVENT_STORE: 'esdb://127.0.0.1:1?tls=false', MONGODB_URL: 'mongodb://127.0.0.1:1/service' };
      const waiting = new ServiceProcess(dataDir, { ...nobody, ...(await keysIn(dataDir)) });
      const refused = expect(waiting.ready).rejects.toThrow('ended before it was ready (0)');
      await eventually(async () => (waiting.output.includes('waiting for the stores') ? waiting : null), START_MS);

      expect(await waiting.stop()).toBe(0);
      await refused;
    },
    2 * START_MS,
  );
});
