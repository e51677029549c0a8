import { ReplaySteps } from '../../../src/webhooks/delivery/replay-steps.js';
import type { AttemptResult } from '../../../src/webhooks/domain/attempt-result.js';
import { deliveryIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { WebhooksProcess } from '../../support/memory/webhooks-process.js';

const FAILED: AttemptResult = { responseStatus: 503, durationMs: 1, retryAfterSeconds: null };
const RETRY_MS = 5_000;

describe('A retry that falls due while a replay job holds its chain', () => {
  it('is sent within a second after the job releases the chain', async () => {
    const cluster = await WebhooksProcess.create({ WEBHOOK_RETRY_SCHEDULE: '5' });
    await cluster.start();
    cluster.results.unshift(FAILED);
    const endpointId = await cluster.createEndpoint();
    const chainId = await cluster.publish('evt_1', endpointId);
    await cluster.clock.advance(100);
    const selected = { replayJobId: 'whj_1', endpointId, record: deliveryIdOf(chainId, 1) };
    const steps = cluster.get(ReplaySteps);
    await steps.hold(selected, cluster.createContext());
    await cluster.clock.advance(2 * RETRY_MS);
    expect(cluster.sent).toEqual([deliveryIdOf(chainId, 1)]);

    await steps.release(selected, cluster.createContext());
    await cluster.clock.advance(1_000);
    expect(cluster.sent).toEqual([deliveryIdOf(chainId, 1), deliveryIdOf(chainId, 2)]);
    await cluster.stop();
  });
});
