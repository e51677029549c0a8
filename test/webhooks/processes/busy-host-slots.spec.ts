import { HostLimiter } from '../../../src/webhooks/delivery/host-limiter.js';
import { SynchronousAttempts } from '../../../src/webhooks/delivery/synchronous-attempts.js';
import { deliveryIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { WebhooksProcess } from '../../support/memory/webhooks-process.js';

const HOST = '203.0.113.7';
const RECEIVER = `https://${HOST}/hook`;
const SLOTS = 2;
/** More waits than the endpoint has slots. */
const WAITS_MS = 60_000;

describe('An endpoint whose host is busy', () => {
  let cluster: WebhooksProcess;
  let endpointId: string;
  let host: { release(): void };
  beforeEach(async () => {
    cluster = await WebhooksProcess.create(
      {
        WEBHOOK_ALLOW_CIDRS: `${HOST}/32`,
        WEBHOOK_ENDPOINT_CONCURRENCY: String(SLOTS),
        WEBHOOK_HOST_CONCURRENCY: '1',
        WEBHOOK_RETRY_SCHEDULE: '5',
      },
      RECEIVER,
    );
    await cluster.start();
    endpointId = await cluster.createEndpoint();
  });
  afterEach(() => cluster.stop());

  const occupyHost = () => (host = cluster.get(HostLimiter).acquireExtra([HOST]));
  const publish = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, i) => cluster.publish(`evt_${i}`, endpointId)));

  it('sends its backlog, the oldest attempt first, as soon as the host is free', async () => {
    occupyHost();
    const chainIds = await publish(3 * SLOTS);
    await cluster.clock.advance(WAITS_MS);
    expect(cluster.sent).toEqual([]);
    host.release();
    await cluster.clock.advance(2_000);
    expect([...cluster.sent].sort()).toEqual(chainIds.map((chainId) => deliveryIdOf(chainId, 1)).sort());
  });

  it('keeps none of its slots while a retry waits for the host', async () => {
    cluster.results.unshift({ responseStatus: 503, durationMs: 1, retryAfterSeconds: null });
    const [chainId] = await publish(1);
    await cluster.clock.advance(1_000);
    expect(cluster.sent).toHaveLength(1);
    occupyHost();
    await cluster.clock.advance(WAITS_MS);
    host.release();
    await cluster.clock.advance(20_000);
    expect(cluster.sent).toEqual([1, 2].map((attempt) => deliveryIdOf(chainId!, attempt)));
  });

  it('keeps none of its slots after test events that were refused', async () => {
    occupyHost();
    const attempts = cluster.get(SynchronousAttempts);
    for (let i = 0; i <= SLOTS; i++) {
      const refused = expect(attempts.runInSlot(endpointId, RECEIVER, () => Promise.resolve())).rejects.toMatchObject({
        code: 'service_unavailable',
        detail: 'The host of the endpoint is busy. Try again soon.',
      });
      await cluster.clock.advance(1_500);
      await refused;
    }
    host.release();
    expect(await attempts.runInSlot(endpointId, RECEIVER, () => Promise.resolve('sent'))).toBe('sent');
  });
});
