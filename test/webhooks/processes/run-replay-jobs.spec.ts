import { Streams } from '../../../src/engine/streams/streams.js';
import { DAY_MS, iso } from '../../../src/kernel/clock.js';
import type { Answer } from '../../../src/webhooks/domain/answer.js';
import { chain } from '../../../src/webhooks/domain/chain.js';
import { deliveryIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { replayJob } from '../../../src/webhooks/domain/replay-job.js';
import { laneIdOf, replayLane } from '../../../src/webhooks/domain/replay-lane.js';
import { brokenJobs } from '../../support/invariants/replay-jobs.js';
import { WebhooksHouse } from '../../support/memory/webhooks-house.js';
import { answer, CHAIN, ENABLED } from '../facts.js';

const REFUSED: Answer = { responseStatus: 400, durationMs: 1, retryAfterSeconds: null };
const JOB = 'whj_1';

describe('A replay job whose process ended after the selection of chains', () => {
  it('counts a chain once that has failed again after its selection', async () => {
    const house = await WebhooksHouse.of();
    await house.start();
    house.answers[0] = REFUSED;
    const endpointId = await house.endpoint();
    const chainIds = [await house.publish('evt_1', endpointId), await house.publish('evt_2', endpointId)];
    await house.clock.advance(1_000);
    await select(house, endpointId, chainIds);
    await replay(house, chainIds[1]!, 400);

    await request(house);
    await house.clock.advance(10_000);
    expect(house.events.log.find(({ type }) => type === 'ReplayJobStarted')?.data).toMatchObject({ matched: 2 });
    expect(brokenJobs(house.events.log)).toEqual([]);
    await house.stop();
  });

  it('counts all selected chains as matched, and skips those that have changed', async () => {
    const house = await WebhooksHouse.of();
    await house.start();
    house.answers[0] = REFUSED;
    const endpointId = await house.endpoint();
    const chainIds = [await house.publish('evt_1', endpointId), await house.publish('evt_2', endpointId)];
    await house.clock.advance(1_000);
    await select(house, endpointId, chainIds);
    await replay(house, chainIds[1]!);

    await request(house);
    await house.clock.advance(10_000);
    expect(house.events.log.find(({ type }) => type === 'ReplayJobStarted')?.data).toMatchObject({ matched: 2 });
    expect(house.events.log.filter(({ type }) => type === 'ChainSkipped')).toHaveLength(1);
    expect(await house.get(Streams).state(replayJob, JOB)).toMatchObject({ status: 'completed' });
    expect(brokenJobs(house.events.log)).toEqual([]);
    await house.stop();
  });
});

/** Records the selection as the earlier run did. */
async function select(house: WebhooksHouse, endpointId: string, chainIds: readonly string[]): Promise<void> {
  const lane = { replayJobId: JOB, endpointId };
  const command = { type: 'SelectChains', ...lane, records: chainIds.map((id) => deliveryIdOf(id, 1)) } as const;
  await house.get(Streams).execute(replayLane, laneIdOf(lane), command, house.context());
}

/** Replays a delivery as an API client does. After a success its chain is not selected again. */
async function replay(house: WebhooksHouse, chainId: string, status = 200): Promise<void> {
  const streams = house.get(Streams);
  const start = { type: 'Replay', attempt: 1, target: ENABLED, leaseMs: DAY_MS } as const;
  await streams.execute(chain, chainId, start, house.context());
  await streams.execute(chain, chainId, answer(2, status), house.context());
}

async function request(house: WebhooksHouse): Promise<void> {
  const window = { createdFrom: iso(0), createdTo: iso(house.clock.now()), endpointId: null, eventTypes: [], includeMissed: false };
  const facts = { replayJobId: JOB, businessId: CHAIN.businessId, mode: 'live', ...window, statuses: ['failed'] } as const;
  await house.get(Streams).execute(replayJob, JOB, { type: 'RequestReplayJob', ...facts }, house.context());
}
