import type { AttemptResult } from '../../../src/webhooks/domain/attempt-result.js';
import { deliveryIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { WebhooksProcess } from '../../support/memory/webhooks-process.js';
import type { Environment } from '../../support/service-process.js';

const FAILED: AttemptResult = { responseStatus: 503, durationMs: 1, retryAfterSeconds: null };
const [MINUTE, HOUR] = [60_000, 3_600_000];

/** Starts a process whose clock is ahead and publishes the given number of events at once. */
async function startAhead(environment: Environment, events: number, ...results: AttemptResult[]) {
  const cluster = await WebhooksProcess.create(environment);
  cluster.results.unshift(...results);
  await cluster.start();
  const endpointId = await cluster.createEndpoint();
  const chainIds: string[] = [];
  for (let i = 0; i < events; i++) chainIds.push(await cluster.publish(`evt_${i}`, endpointId));
  await cluster.clock.advance(2_000);
  return { cluster, chainIds };
}

describe('An attempt that a clock an hour ahead has dated', () => {
  it('is retried after the wait of its schedule', async () => {
    const { cluster, chainIds } = await startAhead({ WEBHOOK_RETRY_SCHEDULE: '5' }, 1, FAILED);
    expect(cluster.sent).toHaveLength(1);
    cluster.clock.setBack(HOUR);
    await cluster.clock.advance(15 * MINUTE);
    expect(cluster.sent).toEqual([1, 2].map((attempt) => deliveryIdOf(chainIds[0]!, attempt)));
    expect(await cluster.loadDeliveryChain(chainIds[0]!)).toMatchObject({ status: 'ended', succeeded: true });
    await cluster.stop();
  });

  it('keeps the wait of its schedule', async () => {
    const { cluster } = await startAhead({ WEBHOOK_RETRY_SCHEDULE: '1200' }, 1, FAILED);
    cluster.clock.setBack(HOUR);
    await cluster.clock.advance(19 * MINUTE);
    expect(cluster.sent).toHaveLength(1);
    await cluster.clock.advance(15 * MINUTE);
    expect(cluster.sent).toHaveLength(2);
    await cluster.stop();
  });

  it('leaves the backlog in the order of arrival', async () => {
    const { cluster, chainIds } = await startAhead({ WEBHOOK_ENDPOINT_RATE: '1' }, 20);
    expect(cluster.sent.length).toBeLessThan(10);
    cluster.clock.setBack(HOUR);
    await cluster.clock.advance(15 * MINUTE);
    expect(cluster.sent).toEqual(chainIds.map((chainId) => deliveryIdOf(chainId, 1)));
    await cluster.stop();
  });
});
