import type { JobHandler } from '../../../src/engine/registry.js';
import type { Job } from '../../../src/kernel/jobs.js';
import type { Answer } from '../../../src/webhooks/domain/answer.js';
import { WorkOnBacklogs } from '../../../src/webhooks/processes/work-on-backlogs.js';
import { deliveryIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { Backlogs, type BacklogId } from '../../../src/webhooks/sending/backlogs.js';
import { attemptJob, type ChainJob } from '../../../src/webhooks/sending/chain-jobs.js';
import { Redeliveries } from '../../../src/webhooks/sending/redeliveries.js';
import { WebhooksHouse } from '../../support/memory/webhooks-house.js';
import type { Environment } from '../../support/service-process.js';
import { CHAIN } from '../facts.js';

const OK: Answer = { responseStatus: 200, durationMs: 1, retryAfterSeconds: null };
const FAILED: Answer = { responseStatus: 503, durationMs: 1, retryAfterSeconds: null };
const SLOW = { WEBHOOK_ENDPOINT_RATE: '1' };

/** Starts a process with one endpoint and publishes the given number of events to it at once. */
async function crowded(environment: Environment, events: number, answer?: Answer) {
  const house = await WebhooksHouse.of(environment);
  await house.start();
  if (answer !== undefined) house.answers[0] = answer;
  const endpointId = await house.endpoint();
  const chainIds: string[] = [];
  for (let i = 0; i < events; i++) chainIds.push(await house.publish(`evt_${i}`, endpointId));
  return { house, endpointId, chainIds };
}

function attemptsIn({ jobs }: WebhooksHouse): readonly Job[] {
  return [...jobs.entries.values()].map(({ job }) => job).filter(({ key }) => key.startsWith('attempt:'));
}

/** Counts the claims of the waiting attempts. */
function claimsOf(house: WebhooksHouse): number {
  return attemptsIn(house).reduce((sum, { attempt }) => sum + attempt, 0);
}

async function statusesOf(house: WebhooksHouse, chainIds: readonly string[]): Promise<Set<string>> {
  return new Set(await Promise.all(chainIds.map(async (chainId) => (await house.chain(chainId)).status)));
}

describe('The backlog of an endpoint', () => {
  it('claims no attempt that waits in it', async () => {
    const { house } = await crowded(SLOW, 200);
    await house.clock.advance(90_000);
    expect(house.sent.length).toBeGreaterThanOrEqual(90);
    expect(attemptsIn(house).length).toBeGreaterThan(100);
    expect(claimsOf(house)).toBeLessThan(10);
    await house.stop();
  });

  it('sends as fast as the rate allows, the oldest attempt first, until it is empty', async () => {
    const { house, chainIds } = await crowded(SLOW, 30);
    await house.clock.advance(32_000);
    expect(house.sent).toHaveLength(30);
    expect(await statusesOf(house, chainIds)).toEqual(new Set(['ended']));
    await house.clock.advance(40_000);
    expect([...house.jobs.entries.keys()].filter((key) => /^(attempt|backlog):/.test(key))).toEqual([]);
    await house.stop();
  });

  it('claims only one attempt at a time while the endpoint keeps failing', async () => {
    const settings = { WEBHOOK_RETRY_SCHEDULE: '86400', WEBHOOK_BREAKER_WAITS: '60' };
    const { house } = await crowded(settings, 100, FAILED);
    await house.clock.advance(300_000);
    expect(house.sent.length).toBeGreaterThan(12);
    expect(house.sent.length).toBeLessThan(30);
    expect(attemptsIn(house).length).toBeGreaterThan(70);
    expect(claimsOf(house)).toBeLessThan(40);
    await house.stop();
  });

  it('is sent after the endpoint has recovered', async () => {
    const settings = { WEBHOOK_RETRY_SCHEDULE: '86400', WEBHOOK_BREAKER_WAITS: '60' };
    const { house } = await crowded(settings, 40, FAILED);
    await house.clock.advance(30_000);
    const failed = house.sent.length;
    house.answers[0] = OK;
    await house.clock.advance(120_000);
    expect(house.sent).toHaveLength(40);
    expect(failed).toBeLessThan(20);
    await house.stop();
  });

  it('holds retries too, which wait without a claim', async () => {
    const settings = { WEBHOOK_ENDPOINT_RATE: '4', WEBHOOK_RETRY_SCHEDULE: '5' };
    const house = await WebhooksHouse.of(settings);
    house.answers.unshift(...Array.from({ length: 300 }, (_, i) => (i % 10 === 9 ? OK : FAILED)));
    await house.start();
    const endpointId = await house.endpoint();
    for (let i = 0; i < 120; i++) await house.publish(`evt_${i}`, endpointId);
    await house.clock.advance(45_000);
    const retries = [...house.jobs.entries.values()].filter(({ job }) => job.queue === `delivery-retries:${endpointId}`);
    expect(retries.length).toBeGreaterThan(40);
    expect(claimsOf(house)).toBeLessThan(20);
    await house.stop();
  });

  it('is recorded as missed at once when the endpoint is disabled', async () => {
    const { house, endpointId, chainIds } = await crowded(SLOW, 100);
    await house.clock.advance(10_000);
    const sent = house.sent.length;
    await house.turn(endpointId, 'disabled');
    await house.clock.advance(3_000);
    expect(house.sent.length).toBeLessThanOrEqual(sent + 1);
    expect(await statusesOf(house, chainIds)).toEqual(new Set(['ended', 'missed']));
    await house.stop();
  });

  it('does not delay new events after its attempts are abandoned', async () => {
    const { house, endpointId } = await crowded(SLOW, 100);
    await house.clock.advance(5_000);
    await house.turn(endpointId, 'disabled');
    await house.turn(endpointId, 'enabled');
    const chainId = await house.publish('evt_new', endpointId);
    await house.clock.advance(10_000);
    expect(await house.chain(chainId)).toMatchObject({ status: 'ended', succeeded: true });
    await house.stop();
  });
});

describe('A backlog in which nothing is due', () => {
  const HELD = 'whj_1';

  /**
   * Prepares two waiting retries: a replay job holds one, which is in the backlog; the other is in no queue. The job of
   * the backlog is idle.
   */
  async function resting() {
    const house = await WebhooksHouse.of({ WEBHOOK_RETRY_SCHEDULE: '60,60', WEBHOOK_ENDPOINT_RATE: '4' });
    house.answers.unshift(FAILED, FAILED, OK);
    await house.start();
    const endpointId = await house.endpoint();
    const [held, other] = [await house.publish('evt_1', endpointId), await house.publish('evt_2', endpointId)];
    await house.clock.advance(3_000);
    const retryOf = (chainId: string) => attemptsIn(house).find(({ key }) => key === `attempt:${chainId}:2`) as ChainJob;
    const [first, second] = [retryOf(held), retryOf(other)];
    for (const { key } of [first, second]) await house.jobs.cancel(key);
    const selected = { replayJobId: HELD, endpointId, record: deliveryIdOf(held, 1) };
    await house.get(Redeliveries).hold(selected, house.context());
    await house.clock.advance(65_000);
    await house.get(Backlogs).add(first, 'retry');
    await house.clock.advance(2_000);
    expect(await house.jobs.find(`backlog:delivery-retries:${endpointId}`)).toMatchObject({ status: 'waiting', error: 'nothing is due' });
    house.sent.length = 0;
    return { house, endpointId, held, selected, second };
  }

  it('sends an added attempt at once', async () => {
    const { house, second } = await resting();
    await house.get(Backlogs).add(second, 'retry');
    await house.clock.advance(1_000);
    expect(house.sent).toHaveLength(1);
    await house.stop();
  });

  it.each([false, true])('sends a retry at once when a replay job releases it (backlog active in this process: %s)', async (isKnown) => {
    const { house, endpointId, held, selected } = await resting();
    const backlog = { endpointId, kind: 'retry' } as const;
    if (isKnown) house.get(Backlogs).saw(backlog);
    else house.get(Backlogs).sawNone(backlog);
    await house.get(Redeliveries).release(selected, house.context());
    expect(attemptsIn(house).map(({ key }) => key)).toEqual([`attempt:${held}:2:backlog`]);
    await house.clock.advance(1_000);
    expect(house.sent).toEqual([deliveryIdOf(held, 2)]);
    await house.stop();
  });

  it('sends an attempt that is added while its job becomes idle', async () => {
    const { house, endpointId, second } = await resting();
    const nextDue = house.jobs.nextDue.bind(house.jobs);
    house.jobs.nextDue = async (queue) => {
      const next = await nextDue(queue);
      if (queue === `delivery-retries:${endpointId}` && house.jobs.nextDue !== nextDue) {
        house.jobs.nextDue = nextDue;
        await house.get(Backlogs).add(second, 'retry');
      }
      return next;
    };
    await house.get(Backlogs).wake(endpointId);
    await house.clock.advance(3_000);
    expect(house.sent).toHaveLength(1);
    await house.stop();
  });
});

describe('A chain in a backlog with an unreadable history', () => {
  it('is tried on its own, and blocks no other chain', async () => {
    const { house, chainIds } = await crowded(SLOW, 20);
    const [planned] = house.events.log.filter(({ stream }) => stream === `chain-${chainIds[12]!}`);
    const unreadable = { ...planned!, id: 'unreadable', type: 'AttemptFailed', data: null as never };
    await house.events.append(planned!.stream, planned!.revision, [unreadable]);
    await house.clock.advance(30_000);
    expect(house.sent).toHaveLength(19);
    expect([...house.jobs.entries.keys()].filter((key) => key.startsWith('attempt:'))).toEqual([`attempt:${chainIds[12]!}:1:alone`]);
    await house.stop();
  });
});

describe('An attempt that is added to a backlog', () => {
  const ATTEMPT = attemptJob(0, '2026-02-01T09:00:00.000Z', { ...CHAIN, correlationId: 'c', causationId: CHAIN.chainId });
  const BACKLOG: BacklogId = { endpointId: CHAIN.endpointId, kind: 'first' };

  async function ending() {
    const house = await WebhooksHouse.of();
    const [handler] = house.get(WorkOnBacklogs).handlers as readonly [JobHandler];
    const run = (job: Job) => handler.run(job);
    const backlogs = house.get(Backlogs);
    await house.jobs.put([backlogs.workOn(BACKLOG)]);
    const next = async () => (await house.jobs.claim(handler.queue, { limit: 1, leaseMs: 15_000, holder: 'process-1' }))[0] as Job;
    const last = await next();
    expect(await run(last)).toBeUndefined();
    return { house, backlogs, last, next, run };
  }

  it('is found after the backlog’s ending job has ended', async () => {
    const { house, backlogs, last, next, run } = await ending();
    await backlogs.add(ATTEMPT, 'first');
    await house.jobs.done(last);
    expect(await house.jobs.find(last.key)).toBeNull();

    await house.clock.advance(1_000);
    expect(await run(await next())).toBeUndefined();
    expect(await house.jobs.find(last.key)).toMatchObject({ status: 'waiting' });
  });

  it('is not searched for before the ending job has ended', async () => {
    const { house, backlogs, last, next, run } = await ending();
    await house.clock.advance(1_000);
    const after = await next();
    expect(await run(after)).toMatchObject({ why: 'the previous job has not ended' });
    await backlogs.add(ATTEMPT, 'first');
    await house.jobs.done(last);
    expect(await run(after)).toBeUndefined();
    expect(await house.jobs.find(last.key)).toMatchObject({ status: 'waiting' });
  });
});
