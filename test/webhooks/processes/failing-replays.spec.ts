import { toIso } from '../../../src/kernel/clock.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { RequestReplayJob, RequestReplayJobHandler } from '../../../src/webhooks/commands/replay-job.commands.js';
import { ReplaySteps } from '../../../src/webhooks/delivery/replay-steps.js';
import type { AttemptResult } from '../../../src/webhooks/domain/attempt-result.js';
import { WebhooksProcess } from '../../support/memory/webhooks-process.js';

const CHAINS = 8;
/** The second one may have its slot when the first one fails. */
const MAX_STARTED = 2;
const REFUSED: AttemptResult = { responseStatus: 400, durationMs: 1, retryAfterSeconds: null };
const OK: AttemptResult = { ...REFUSED, responseStatus: 200 };

describe('A replay job whose redelivery fails for lack of a store', () => {
  let cluster: WebhooksProcess;
  let chainIds: string[];
  beforeEach(async () => {
    cluster = await WebhooksProcess.create({ WEBHOOK_REPLAY_RATE: '4' });
    await cluster.start();
    cluster.results[0] = REFUSED;
    const endpointId = await cluster.createEndpoint();
    chainIds = [];
    for (let i = 0; i < CHAINS; i++) chainIds.push(await cluster.publish(`evt_${i}`, endpointId));
    await cluster.clock.advance(1_000);
    cluster.results[0] = OK;
  });
  afterEach(() => cluster.stop());

  async function requestJob(): Promise<void> {
    const [createdFrom, createdTo] = [toIso(0), toIso(cluster.clock.now())];
    const window = { createdFrom, createdTo, endpointId: null, eventTypes: [], includeMissed: false };
    const params = { ...window, scope: 'failed', statuses: ['failed'] } as const;
    const handler = cluster.get(RequestReplayJobHandler);
    const requested = handler.execute(new RequestReplayJob(cluster.createContext(), params));
    await cluster.clock.advance(100);
    await requested;
  }

  it('starts nothing more in that run, and goes on five seconds later', async () => {
    const steps = cluster.get(ReplaySteps);
    const redeliver = steps.redeliver.bind(steps);
    let failures = 0;
    steps.redeliver = async () => {
      failures++;
      throw new StoreUnavailable('away', false);
    };
    await requestJob();
    await cluster.clock.advance(4_000);
    expect(failures).toBeLessThanOrEqual(MAX_STARTED);

    steps.redeliver = redeliver;
    await cluster.clock.advance(10_000);
    for (const chainId of chainIds)
      expect(await cluster.loadDeliveryChain(chainId)).toMatchObject({ succeeded: true, attempts: 2 });
  });
});
