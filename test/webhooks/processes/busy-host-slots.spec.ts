import { Streams } from '../../../src/engine/streams/streams.js';
import { toIso } from '../../../src/kernel/clock.js';
import { HostLimiter } from '../../../src/webhooks/delivery/host-limiter.js';
import { SynchronousAttempts } from '../../../src/webhooks/delivery/synchronous-attempts.js';
import type { AttemptResult } from '../../../src/webhooks/domain/attempt-result.js';
import { deliveryIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { replayJobDecider } from '../../../src/webhooks/domain/replay-job.js';
import { WebhooksProcess } from '../../support/memory/webhooks-process.js';
import { CHAIN } from '../facts.js';

const OK: AttemptResult = { responseStatus: 200, durationMs: 1, retryAfterSeconds: null };
const FAILED: AttemptResult = { ...OK, responseStatus: 503 };
const REFUSED: AttemptResult = { ...OK, responseStatus: 400 };
const HOST = '203.0.113.7';
const RECEIVER = `https://${HOST}/hook`;
const HOST_SLOTS = 2;
const EVENTS = 4;
/** The circuit breaker opens after so many failures in a row. */
const FAILURE_THRESHOLD = 10;
/** Longer than several waits for a host. */
const BUSY_MS = 60_000;
const RETRY_MS = 600_000;
const BREAKER_WAIT_MS = 60_000;
const REPLAY_JOB = 'whj_1';

describe('An endpoint with one slot, whose host is busy', () => {
  let cluster: WebhooksProcess;
  let endpointId: string;
  let occupied: readonly { release(): void }[];
  beforeEach(async () => {
    cluster = await WebhooksProcess.create(
      {
        WEBHOOK_ALLOW_CIDRS: `${HOST}/32`,
        WEBHOOK_ENDPOINT_CONCURRENCY: '1',
        WEBHOOK_HOST_CONCURRENCY: String(HOST_SLOTS),
        WEBHOOK_RETRY_SCHEDULE: String(RETRY_MS / 1_000),
        WEBHOOK_BREAKER_WAITS: String(BREAKER_WAIT_MS / 1_000),
      },
      RECEIVER,
    );
    await cluster.start();
    endpointId = await cluster.createEndpoint();
  });
  afterEach(() => cluster.stop());

  /** Other endpoints use all slots of the host. */
  function occupyHost(): void {
    occupied = Array.from({ length: HOST_SLOTS }, () => cluster.get(HostLimiter).acquireExtra([HOST]));
  }

  async function releaseHost(waitMs: number): Promise<void> {
    for (const slot of occupied) slot.release();
    await cluster.clock.advance(waitMs);
  }

  async function publish(count: number): Promise<string[]> {
    const chainIds: string[] = [];
    for (let i = 0; i < count; i++) chainIds.push(await cluster.publish(`evt_${i}`, endpointId));
    return chainIds;
  }

  it('sends its backlog, the oldest attempt first, as soon as the host is free', async () => {
    occupyHost();
    const chainIds = await publish(EVENTS);
    await cluster.clock.advance(BUSY_MS);
    expect(cluster.sent).toEqual([]);
    await releaseHost(30_000);
    expect(cluster.sent).toEqual(chainIds.map((chainId) => deliveryIdOf(chainId, 1)));
  });

  it('sends a retry that waited for the host', async () => {
    cluster.results.unshift(FAILED);
    const [chainId] = await publish(1);
    await cluster.clock.advance(1_000);
    expect(cluster.sent).toHaveLength(1);
    occupyHost();
    await cluster.clock.advance(RETRY_MS + BUSY_MS);
    await releaseHost(30_000);
    expect(cluster.sent).toEqual([1, 2].map((attempt) => deliveryIdOf(chainId!, attempt)));
  });

  it('sends another probe after one that got no slot of the host', async () => {
    cluster.results[0] = FAILED;
    await publish(2 * FAILURE_THRESHOLD);
    await cluster.clock.advance(2_000);
    const { length } = cluster.sent;
    cluster.results[0] = OK;
    occupyHost();
    await cluster.clock.advance(BREAKER_WAIT_MS + 20_000);
    expect(cluster.sent).toHaveLength(length);
    await releaseHost(5_000);
    expect(cluster.sent.length).toBeGreaterThan(length);
  });

  it('sends a test event after others were refused', async () => {
    occupyHost();
    const attempts = cluster.get(SynchronousAttempts);
    const receiver = { endpointId, url: RECEIVER, ratePerSecond: null };
    const refused = expect(attempts.runInSlot(receiver, () => Promise.resolve())).rejects.toMatchObject({
      code: 'service_unavailable',
      detail: 'The host of the endpoint is busy. Try again soon.',
    });
    await cluster.clock.advance(1_500);
    await refused;
    await releaseHost(0);
    expect(await attempts.runInSlot(receiver, () => Promise.resolve('sent'))).toBe('sent');
  });

  it('is sent its replays as soon as the host is free', async () => {
    cluster.results[0] = REFUSED;
    await publish(EVENTS);
    await cluster.clock.advance(2_000);
    expect(cluster.sent).toHaveLength(EVENTS);
    cluster.results[0] = OK;
    occupyHost();
    await requestReplay();
    await cluster.clock.advance(BUSY_MS);
    expect(cluster.sent).toHaveLength(EVENTS);
    await releaseHost(30_000);
    expect(cluster.sent).toHaveLength(2 * EVENTS);
  });

  async function requestReplay(): Promise<void> {
    const facts = {
      replayJobId: REPLAY_JOB,
      businessId: CHAIN.businessId,
      mode: 'live',
      scope: 'failed',
      createdFrom: toIso(0),
      createdTo: toIso(cluster.clock.now()),
      endpointId: null,
      eventTypes: [],
      includeMissed: false,
      statuses: ['failed'],
    } as const;
    const command = { type: 'RequestReplayJob', ...facts } as const;
    await cluster.get(Streams).execute(replayJobDecider, REPLAY_JOB, command, cluster.createContext());
  }
});
