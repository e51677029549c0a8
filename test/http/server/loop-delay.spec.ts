import { setTimeout as delay } from 'node:timers/promises';
import type { ApiResponse } from '../../support/api.js';
import { type Service, startService } from '../../support/service.js';

const TURN_MS = 1_500;
const TURNS = 12;
const LONG_TASK_MS = 8_000;
const SETTLED_MS = 1_000;
const TIMEOUT_MS = 20_000;
const NEVER_NOTIFIED = new Int32Array(new SharedArrayBuffer(4));

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Blocks the event loop, as under an overload, without work for a processor that other tests need. */
async function blockEventLoop(replies: readonly ApiResponse[]): Promise<void> {
  for (let turn = 0; turn < TURNS && !replies.some(({ status }) => status === 503); turn++) {
    Atomics.wait(NEVER_NOTIFIED, 0, 0, TURN_MS);
    await delay(1);
  }
}

/** A blocked server may close a kept connection just when the next request arrives on it: there is no response then. */
async function request(): Promise<ApiResponse[]> {
  try {
    return [await service.createApi().get('/problems/not_found')];
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNRESET') return [];
    throw error;
  }
}

async function pollUntil(replies: ApiResponse[], until: (reply: ApiResponse) => boolean): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  do replies.push(...(await request()));
  while (performance.now() < end && !replies.slice(-1).some(until));
}

describe('A process with a delayed event loop', () => {
  it('accepts requests after one long task', async () => {
    const replies: ApiResponse[] = [];
    Atomics.wait(NEVER_NOTIFIED, 0, 0, LONG_TASK_MS);
    const end = performance.now() + SETTLED_MS;
    await pollUntil(replies, () => performance.now() > end);

    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  }, 60_000);

  it('rejects requests with a Retry-After, and accepts requests again after the overload', async () => {
    const replies: ApiResponse[] = [];
    await Promise.all([pollUntil(replies, ({ status }) => status === 503), blockEventLoop(replies)]);
    const refused = replies.at(-1)!;
    await pollUntil(replies, ({ status }) => status === 200);

    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'service_unavailable',
      '1',
    ]);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(replies.at(-1)!.status).toBe(200);
  }, 60_000);
});
