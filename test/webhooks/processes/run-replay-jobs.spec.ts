import { Streams } from '../../../src/engine/streams/streams.js';
import { DAY_MS, toIso } from '../../../src/kernel/clock.js';
import type { AttemptResult } from '../../../src/webhooks/domain/attempt-result.js';
import { deliveryChainDecider } from '../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import { deliveryIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { replayBatchDecider, replayBatchIdOf } from '../../../src/webhooks/domain/replay-batch.js';
import { replayJobDecider } from '../../../src/webhooks/domain/replay-job.js';
import { findBrokenJobs } from '../../support/invariants/replay-jobs.js';
import { WebhooksProcess } from '../../support/memory/webhooks-process.js';
import { CHAIN, ENABLED, recordResult } from '../facts.js';

const REFUSED: AttemptResult = { responseStatus: 400, durationMs: 1, retryAfterSeconds: null };
const JOB = 'whj_1';

describe('A replay job whose process ended after the selection of chains', () => {
  it('counts a chain once that has failed again after its selection', async () => {
    const cluster = await WebhooksProcess.create();
    await cluster.start();
    cluster.results[0] = REFUSED;
    const endpointId = await cluster.createEndpoint();
    const chainIds = [await cluster.publish('evt_1', endpointId), await cluster.publish('evt_2', endpointId)];
    await cluster.clock.advance(1_000);
    await select(cluster, endpointId, chainIds);
    await replay(cluster, chainIds[1]!, 400);

    await request(cluster);
    await cluster.clock.advance(10_000);
    expect(cluster.events.log.find(({ type }) => type === 'ReplayJobStarted')?.data).toMatchObject({ matched: 2 });
    expect(findBrokenJobs(cluster.events.log)).toEqual([]);
    await cluster.stop();
  });

  it('counts all selected chains as matched, and skips those that have changed', async () => {
    const cluster = await WebhooksProcess.create();
    await cluster.start();
    cluster.results[0] = REFUSED;
    const endpointId = await cluster.createEndpoint();
    const chainIds = [await cluster.publish('evt_1', endpointId), await cluster.publish('evt_2', endpointId)];
    await cluster.clock.advance(1_000);
    await select(cluster, endpointId, chainIds);
    await replay(cluster, chainIds[1]!);

    await request(cluster);
    await cluster.clock.advance(10_000);
    expect(cluster.events.log.find(({ type }) => type === 'ReplayJobStarted')?.data).toMatchObject({ matched: 2 });
    expect(cluster.events.log.filter(({ type }) => type === 'DeliveryChainSkipped')).toHaveLength(1);
    expect(await cluster.get(Streams).loadState(replayJobDecider, JOB)).toMatchObject({ status: 'completed' });
    expect(findBrokenJobs(cluster.events.log)).toEqual([]);
    await cluster.stop();
  });
});

/** Records the selection as the earlier run did. */
async function select(cluster: WebhooksProcess, endpointId: string, chainIds: readonly string[]): Promise<void> {
  const batch = { replayJobId: JOB, endpointId };
  const command = { type: 'SelectChains', ...batch, records: chainIds.map((id) => deliveryIdOf(id, 1)) } as const;
  await cluster.get(Streams).execute(replayBatchDecider, replayBatchIdOf(batch), command, cluster.createContext());
}

/** Replays a delivery as an API client does. After a success its chain is not selected again. */
async function replay(cluster: WebhooksProcess, chainId: string, status = 200): Promise<void> {
  const streams = cluster.get(Streams);
  const start = { type: 'Replay', attempt: 1, endpointState: ENABLED, leaseMs: DAY_MS } as const;
  await streams.execute(deliveryChainDecider, chainId, start, cluster.createContext());
  await streams.execute(deliveryChainDecider, chainId, recordResult(2, status), cluster.createContext());
}

async function request(cluster: WebhooksProcess): Promise<void> {
  const window = {
    createdFrom: toIso(0),
    createdTo: toIso(cluster.clock.now()),
    endpointId: null,
    eventTypes: [],
    includeMissed: false,
  };
  const facts = {
    replayJobId: JOB,
    businessId: CHAIN.businessId,
    mode: 'live',
    scope: 'failed',
    ...window,
    statuses: ['failed'],
  } as const;
  await cluster
    .get(Streams)
    .execute(replayJobDecider, JOB, { type: 'RequestReplayJob', ...facts }, cluster.createContext());
}
