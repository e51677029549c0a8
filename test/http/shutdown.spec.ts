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
/** What the service says something to: the answer, or that the caller may go on. */
const ANSWERED = [ANSWERED_AND_KEPT, HALF_A_BODY];
/** A signal that follows sooner is taken for the same one, told twice. */
const SAME_SIGNAL_MS = 500;
/** A process that gets little of a processor takes long to begin. */
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

/** A connection on which so much was sent, and which the caller leaves open. */
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

describe('A service that is told to end', () => {
  it('ends at once and in order while connections are kept, silent or half through a request’s head', async () => {
    await Promise.all([ANSWERED_AND_KEPT, ANSWERED_AND_KEPT, SILENT, HALF_A_HEAD].map(holding));
    const { code, ms } = await stopped();

    expect(code).toBe(0);
    expect(ms).toBeLessThan(5_000);
  });

  it('ends in order within 10 s while somebody has half sent a body', async () => {
    await holding(HALF_A_BODY);
    const { code, ms } = await stopped();

    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
  });

  it('ends at once when it is told a second time', async () => {
    await holding(HALF_A_BODY);
    const ending = stopped();
    await delay(2 * SAME_SIGNAL_MS);
    process.kill(service.pid, 'SIGTERM');
    const { code, ms } = await ending;

    expect(code).toBe(1);
    expect(ms).toBeLessThan(5_000);
  });
});

describe('A service that is told to end before it serves anything', () => {
  it(
    'ends at once and in order',
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
