import { toIso } from '../../../src/kernel/clock.js';
import type { Job } from '../../../src/kernel/jobs.js';
import { type BacklogId, Backlogs } from '../../../src/webhooks/delivery/backlogs.js';
import { type DeliveryJob, toAttemptJob } from '../../../src/webhooks/delivery/delivery-jobs.js';
import { ReplaySteps } from '../../../src/webhooks/delivery/replay-steps.js';
import type { AttemptResult } from '../../../src/webhooks/domain/attempt-result.js';
import { deliveryIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { WorkOnBacklogs } from '../../../src/webhooks/processes/work-on-backlogs.js';
import { WebhooksProcess } from '../../support/memory/webhooks-process.js';
import type { Environment } from '../../support/service-process.js';
import { CHAIN } from '../facts.js';

const OK: AttemptResult = { responseStatus: 200, durationMs: 1, retryAfterSeconds: null };
const FAILED: AttemptResult = { responseStatus: 503, durationMs: 1, retryAfterSeconds: null };
const SLOW = { WEBHOOK_ENDPOINT_RATE: '1' };

/** Starts a process with one endpoint and publishes the given number of events to it at once. */
async function startBusy(environment: Environment, events: number, answer?: AttemptResult) {
  const cluster = await WebhooksProcess.create(environment);
  await cluster.start();
  if (answer !== undefined) cluster.results[0] = answer;
  const endpointId = await cluster.createEndpoint();
  const chainIds: string[] = [];
  for (let i = 0; i < events; i++) chainIds.push(await cluster.publish(`evt_${i}`, endpointId));
  return { cluster, endpointId, chainIds };
}

function findAttempts({ jobs }: WebhooksProcess): readonly Job[] {
  return [...jobs.entries.values()].map(({ job }) => job).filter(({ key }) => key.startsWith('attempt:'));
}

/** Counts the claims of the waiting attempts. */
function countClaims(cluster: WebhooksProcess): number {
  return findAttempts(cluster).reduce((sum, { attempt }) => sum + attempt, 0);
}

async function findStatuses(cluster: WebhooksProcess, chainIds: readonly string[]): Promise<Set<string>> {
  return new Set(await Promise.all(chainIds.map(async (chainId) => (await cluster.loadDeliveryChain(chainId)).status)));
}

describe('The backlog of an endpoint', () => {
  it('claims no attempt that waits in it', async () => {
    const { cluster } = await startBusy(SLOW, 200);
    await cluster.clock.advance(90_000);
    expect(cluster.sent.length).toBeGreaterThanOrEqual(90);
    expect(findAttempts(cluster).length).toBeGreaterThan(100);
    expect(countClaims(cluster)).toBeLessThan(10);
    await cluster.stop();
  });

  it('sends as fast as the rate allows, the oldest attempt first, until it is empty', async () => {
    const { cluster, chainIds } = await startBusy(SLOW, 30);
    await cluster.clock.advance(32_000);
    expect(cluster.sent).toEqual(chainIds.map((chainId) => deliveryIdOf(chainId, 1)));
    expect(await findStatuses(cluster, chainIds)).toEqual(new Set(['ended']));
    await cluster.clock.advance(40_000);
    expect([...cluster.jobs.entries.keys()].filter((key) => /^(attempt|backlog):/.test(key))).toEqual([]);
    await cluster.stop();
  });

  it('claims only one attempt at a time while the endpoint keeps failing', async () => {
    const settings = { WEBHOOK_RETRY_SCHEDULE: '86400', WEBHOOK_BREAKER_WAITS: '60' };
    const { cluster } = await startBusy(settings, 100, FAILED);
    await cluster.clock.advance(300_000);
    expect(cluster.sent.length).toBeGreaterThan(12);
    expect(cluster.sent.length).toBeLessThan(30);
    expect(findAttempts(cluster).length).toBeGreaterThan(70);
    expect(countClaims(cluster)).toBeLessThan(40);
    await cluster.stop();
  });

  it('is sent after the endpoint has recovered', async () => {
    const settings = { WEBHOOK_RETRY_SCHEDULE: '86400', WEBHOOK_BREAKER_WAITS: '60' };
    const { cluster } = await startBusy(settings, 40, FAILED);
    await cluster.clock.advance(30_000);
    const failed = cluster.sent.length;
    cluster.results[0] = OK;
    await cluster.clock.advance(120_000);
    expect(cluster.sent).toHaveLength(40);
    expect(failed).toBeLessThan(20);
    await cluster.stop();
  });

  it('holds retries too, which wait without a claim', async () => {
    const settings = { WEBHOOK_ENDPOINT_RATE: '4', WEBHOOK_RETRY_SCHEDULE: '5' };
    const cluster = await WebhooksProcess.create(settings);
    cluster.results.unshift(...Array.from({ length: 300 }, (_, i) => (i % 10 === 9 ? OK : FAILED)));
    await cluster.start();
    const endpointId = await cluster.createEndpoint();
    for (let i = 0; i < 120; i++) await cluster.publish(`evt_${i}`, endpointId);
    await cluster.clock.advance(45_000);
    const retries = [...cluster.jobs.entries.values()].filter(
      ({ job }) => job.queue === `delivery-retries:${endpointId}`,
    );
    expect(retries.length).toBeGreaterThan(40);
    expect(countClaims(cluster)).toBeLessThan(20);
    await cluster.stop();
  });

  it('is recorded as missed at once when the endpoint is disabled', async () => {
    const { cluster, endpointId, chainIds } = await startBusy(SLOW, 100);
    await cluster.clock.advance(10_000);
    const sent = cluster.sent.length;
    await cluster.setStatus(endpointId, 'disabled');
    await cluster.clock.advance(3_000);
    expect(cluster.sent.length).toBeLessThanOrEqual(sent + 1);
    expect(await findStatuses(cluster, chainIds)).toEqual(new Set(['ended', 'missed']));
    await cluster.stop();
  });

  it('does not delay new events after its attempts are abandoned', async () => {
    const { cluster, endpointId } = await startBusy(SLOW, 100);
    await cluster.clock.advance(5_000);
    await cluster.setStatus(endpointId, 'disabled');
    await cluster.setStatus(endpointId, 'enabled');
    const chainId = await cluster.publish('evt_new', endpointId);
    await cluster.clock.advance(10_000);
    expect(await cluster.loadDeliveryChain(chainId)).toMatchObject({ status: 'ended', succeeded: true });
    await cluster.stop();
  });
});

describe('A backlog in which nothing is due', () => {
  const HELD = 'whj_1';

  /**
   * Prepares two waiting retries: a replay job holds one, which is in the backlog; the other is in no queue. The job of
   * the backlog is idle.
   */
  async function prepareIdle() {
    const cluster = await WebhooksProcess.create({ WEBHOOK_RETRY_SCHEDULE: '60,60', WEBHOOK_ENDPOINT_RATE: '4' });
    cluster.results.unshift(FAILED, FAILED, OK);
    await cluster.start();
    const endpointId = await cluster.createEndpoint();
    const [held, other] = [await cluster.publish('evt_1', endpointId), await cluster.publish('evt_2', endpointId)];
    await cluster.clock.advance(3_000);
    const retryOf = (chainId: string) =>
      findAttempts(cluster).find(({ key }) => key === `attempt:${chainId}:2`) as DeliveryJob;
    const [first, second] = [retryOf(held), retryOf(other)];
    for (const { key } of [first, second]) await cluster.jobs.cancel(key);
    const selected = { replayJobId: HELD, endpointId, record: deliveryIdOf(held, 1) };
    await cluster.get(ReplaySteps).hold(selected, cluster.createContext());
    await cluster.clock.advance(65_000);
    await cluster.get(Backlogs).add(first, 'retry');
    await cluster.clock.advance(2_000);
    expect(await cluster.jobs.find(`backlog:delivery-retries:${endpointId}`)).toMatchObject({
      status: 'waiting',
      error: 'nothing is due',
    });
    cluster.sent.length = 0;
    return { cluster, endpointId, held, selected, second };
  }

  it('sends an added attempt at once', async () => {
    const { cluster, second } = await prepareIdle();
    await cluster.get(Backlogs).add(second, 'retry');
    await cluster.clock.advance(1_000);
    expect(cluster.sent).toHaveLength(1);
    await cluster.stop();
  });

  it.each([false, true])(
    'sends a retry at once when a replay job releases it (backlog active in this process: %s)',
    async (isKnown) => {
      const { cluster, endpointId, held, selected } = await prepareIdle();
      const backlog = { endpointId, kind: 'retry' } as const;
      if (isKnown) cluster.get(Backlogs).markActive(backlog);
      else cluster.get(Backlogs).markEmpty(backlog, cluster.get(Backlogs).markActive(backlog));
      await cluster.get(ReplaySteps).release(selected, cluster.createContext());
      expect(findAttempts(cluster).map(({ key }) => key)).toEqual([`attempt:${held}:2:backlog`]);
      await cluster.clock.advance(1_000);
      expect(cluster.sent).toEqual([deliveryIdOf(held, 2)]);
      await cluster.stop();
    },
  );

  it('sends an attempt that is added while its job becomes idle', async () => {
    const { cluster, endpointId, second } = await prepareIdle();
    const nextDue = cluster.jobs.findNextDue.bind(cluster.jobs);
    cluster.jobs.findNextDue = async (queue) => {
      const next = await nextDue(queue);
      if (queue === `delivery-retries:${endpointId}` && cluster.jobs.findNextDue !== nextDue) {
        cluster.jobs.findNextDue = nextDue;
        await cluster.get(Backlogs).add(second, 'retry');
      }
      return next;
    };
    await cluster.get(Backlogs).wake(endpointId);
    await cluster.clock.advance(3_000);
    expect(cluster.sent).toHaveLength(1);
    await cluster.stop();
  });
});

describe('A chain in a backlog with an unreadable history', () => {
  it('is tried on its own, and blocks no other chain', async () => {
    const { cluster, chainIds } = await startBusy(SLOW, 20);
    const [planned] = cluster.events.log.filter(({ stream }) => stream === `deliveryChain-${chainIds[12]!}`);
    const unreadable = { ...planned!, id: 'unreadable', type: 'AttemptFailed', data: null as never };
    await cluster.events.append(planned!.stream, planned!.revision, [unreadable]);
    await cluster.clock.advance(30_000);
    expect(cluster.sent).toHaveLength(19);
    expect([...cluster.jobs.entries.keys()].filter((key) => key.startsWith('attempt:'))).toEqual([
      `attempt:${chainIds[12]!}:1:alone`,
    ]);
    await cluster.stop();
  });
});

const BACKLOG: BacklogId = { endpointId: CHAIN.endpointId, kind: 'first' };

/** Claims the job of an empty backlog. Its runs follow from the test alone. */
async function prepareClaimed() {
  const cluster = await WebhooksProcess.create();
  const handler = cluster.get(WorkOnBacklogs).handlers[0]!;
  const run = (job: Job) => handler.run(handler.queue.readJob(job));
  const backlogs = cluster.get(Backlogs);
  await cluster.jobs.enqueue([backlogs.toWorkJob(BACKLOG)]);
  const next = async () =>
    (await cluster.jobs.claim(handler.queue.name, { limit: 1, leaseMs: 15_000, holder: 'process-1' }))[0] as Job;
  return { cluster, backlogs, claimed: await next(), next, run };
}

describe('An attempt that is added to a backlog', () => {
  const ATTEMPT = toAttemptJob(0, '2026-02-01T09:00:00.000Z', {
    ...CHAIN,
    correlationId: 'c',
    causationId: CHAIN.chainId,
  });

  async function prepareEnding() {
    const { claimed: last, ...prepared } = await prepareClaimed();
    expect(await prepared.run(last)).toBeUndefined();
    return { ...prepared, last };
  }

  it('is found after the backlog’s ending job has ended', async () => {
    const { cluster, backlogs, last, next, run } = await prepareEnding();
    await backlogs.add(ATTEMPT, 'first');
    await cluster.jobs.complete(last);
    expect(await cluster.jobs.find(last.key)).toBeNull();

    await cluster.clock.advance(1_000);
    expect(await run(await next())).toBeUndefined();
    expect(await cluster.jobs.find(last.key)).toMatchObject({ status: 'waiting' });
  });

  it('is not searched for before the ending job has ended', async () => {
    const { cluster, backlogs, last, next, run } = await prepareEnding();
    await cluster.clock.advance(1_000);
    const after = await next();
    expect(await run(after)).toMatchObject({ reason: 'the previous job has not ended' });
    await backlogs.add(ATTEMPT, 'first');
    await cluster.jobs.complete(last);
    expect(await run(after)).toBeUndefined();
    expect(await cluster.jobs.find(last.key)).toMatchObject({ status: 'waiting' });
  });
});

describe('A change of the endpoint while the job of its backlog runs', () => {
  async function prepareRunning() {
    const { claimed: running, ...prepared } = await prepareClaimed();
    await prepared.backlogs.wake(CHAIN.endpointId);
    await prepared.cluster.clock.advance(1_000);
    return { ...prepared, running, wake: await prepared.next() };
  }

  it('makes that job due after its run, even if it waits for a slot', async () => {
    const { cluster, run, running, wake } = await prepareRunning();
    expect(await run(wake)).toMatchObject({ reason: 'the previous job has not ended' });
    await cluster.jobs.reschedule(running, toIso(cluster.clock.now() + 30_000), 'open_breaker');
    expect(await run(wake)).toBeUndefined();
    expect((await cluster.jobs.find(running.key))!.due).toBe(toIso(cluster.clock.now()));
  });

  it('does nothing when that job has ended', async () => {
    const { cluster, run, running, wake } = await prepareRunning();
    await cluster.jobs.complete(running);
    expect(await run(wake)).toBeUndefined();
    expect(await cluster.jobs.find(running.key)).toBeNull();
  });
});
