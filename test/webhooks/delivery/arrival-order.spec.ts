import { Streams } from '../../../src/engine/streams/streams.js';
import { ArrivalLines } from '../../../src/webhooks/delivery/arrival-lines.js';
import { Backlogs } from '../../../src/webhooks/delivery/backlogs.js';
import { toAttemptJob } from '../../../src/webhooks/delivery/delivery-jobs.js';
import { FirstAttempts } from '../../../src/webhooks/delivery/first-attempts.js';
import type { AttemptResult } from '../../../src/webhooks/domain/attempt-result.js';
import { deliveryChainDecider } from '../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import { deliveryIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { WebhooksProcess } from '../../support/memory/webhooks-process.js';
import type { Environment } from '../../support/service-process.js';
import { CHAIN } from '../facts.js';

const OK: AttemptResult = { responseStatus: 200, durationMs: 1, retryAfterSeconds: null };
const LINE = 'whs_1';
const NOON = '2026-02-01T12:00:00.000Z';

describe('The arrivals at an endpoint', () => {
  it('have their turns one after another, in the order of arrival', async () => {
    const lines = new ArrivalLines();
    const [first, second, third] = [lines.enter(LINE), lines.enter(LINE), lines.enter(LINE)];
    const began: number[] = [];
    const turns = [first, second, third].map((turn, i) => turn.began.then(() => began.push(i)));
    expect([first.ahead, second.ahead, third.ahead]).toEqual([0, 1, 2]);
    second.end();
    await turns[0];
    expect(began).toEqual([0]);
    first.end();
    await Promise.all(turns);
    expect(began).toEqual([0, 1, 2]);
    third.end();
    expect(lines.enter(LINE).ahead).toBe(0);
  });

  it('end their turns once', () => {
    const lines = new ArrivalLines();
    const [first] = [lines.enter(LINE), lines.enter(LINE)];
    first.end();
    first.end();
    expect([lines.enter(LINE).ahead, lines.enter('whs_2').ahead]).toEqual([1, 0]);
  });
});

describe('The backlog', () => {
  const toJob = (chainId: string, due = NOON) =>
    toAttemptJob(0, due, { ...CHAIN, chainId, correlationId: 'c', causationId: chainId });

  it('has the attempts in the order in which they were appended, for any ids and times', async () => {
    const cluster = await WebhooksProcess.create();
    const jobs = [toJob('c'), toJob('a'), toJob('b'), toJob('d', '2026-02-01T11:59:59.000Z'), toJob('e')];
    await Promise.all(jobs.map((job) => cluster.get(Backlogs).append(job)));
    const stored = await cluster.jobs.list({ queue: `deliveries:${CHAIN.endpointId}`, limit: 10 });
    expect(stored.map(({ data }) => (data as { chainId: string }).chainId)).toEqual(['c', 'a', 'b', 'd', 'e']);
    expect(Date.parse(stored.at(-1)!.due) - Date.parse(NOON)).toBeLessThanOrEqual(jobs.length);
  });

  it('stays active when an attempt is added while its job finds nothing', async () => {
    const cluster = await WebhooksProcess.create();
    const backlogs = cluster.get(Backlogs);
    const backlog = { endpointId: CHAIN.endpointId, kind: 'first' } as const;
    const activity = backlogs.markActive(backlog);
    await backlogs.append(toJob('a'));
    backlogs.markEmpty(backlog, activity);
    expect(backlogs.isActive(backlog)).toBe(true);
    backlogs.markEmpty(backlog, backlogs.markActive(backlog));
    expect(backlogs.isActive(backlog)).toBe(false);
  });
});

describe('First attempts', () => {
  /** Starts a process in which the planning of `chain-3` waits until it is released. */
  async function startPlanning(environment: Environment) {
    const cluster = await WebhooksProcess.create(environment);
    await cluster.start();
    const endpointId = await cluster.createEndpoint(['offer.sent']);
    await cluster.publish(CHAIN.eventId, endpointId);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const append = cluster.events.append.bind(cluster.events);
    cluster.events.append = async (stream, ...rest) => {
      if (stream.endsWith('chain-3')) await released;
      return append(stream, ...rest);
    };
    return { cluster, endpointId, start: (chainId: string) => cluster.startDelivery(chainId, endpointId), release };
  }

  it('start in the order of arrival, even if the planning of an earlier one takes longer', async () => {
    const { cluster, start, release } = await startPlanning({ WEBHOOK_ENDPOINT_RATE: '1' });
    const chains = ['chain-4', 'chain-3', 'chain-2', 'chain-1'];
    const starts = chains.map(start);
    await cluster.clock.advance(5_000);
    expect(cluster.sent).toEqual([deliveryIdOf('chain-4', 1)]);
    release();
    await cluster.clock.advance(10_000);
    await Promise.all(starts);
    expect(cluster.sent).toEqual(chains.map((chainId) => deliveryIdOf(chainId, 1)));
    await cluster.stop();
  });

  it('are left to their readers when an earlier process has planned them', async () => {
    const { cluster, endpointId, start } = await startPlanning({ WEBHOOK_ENDPOINT_RATE: '1' });
    const facts = { ...CHAIN, chainId: 'chain-1', endpointId };
    const endpointState = { status: 'enabled', disabledTimes: 0 } as const;
    const command = { type: 'PlanDeliveryChain', facts, endpointState } as const;
    await cluster.get(Streams).execute(deliveryChainDecider, 'chain-1', command, cluster.createContext());
    await Promise.all(['chain-2', 'chain-1'].map(start));
    await cluster.clock.advance(5_000);

    const isDone = (chainId: string) => cluster.get(FirstAttempts).hasEnded(chainId, 0);
    expect([await isDone('chain-2'), await isDone('chain-1')]).toEqual([true, false]);
    await cluster.stop();
  });

  it('start in the order of arrival when a slot is released during the planning of an earlier one', async () => {
    const { cluster, start, release } = await startPlanning({ WEBHOOK_ENDPOINT_CONCURRENCY: '1' });
    const { promise: firstAnswer, resolve: answer } = Promise.withResolvers<AttemptResult>();
    cluster.results.unshift(firstAnswer);
    const starts = [start('chain-4')];
    await cluster.clock.advance(1_000);
    starts.push(start('chain-3'));
    await cluster.clock.advance(1_000);
    answer(OK);
    await cluster.clock.advance(50);
    starts.push(start('chain-2'));
    await cluster.clock.advance(10);
    release();
    await cluster.clock.advance(10_000);
    await Promise.all(starts);
    expect(cluster.sent).toEqual(['chain-4', 'chain-3', 'chain-2'].map((chainId) => deliveryIdOf(chainId, 1)));
    await cluster.stop();
  });

  it('start in the order of arrival when a read of the endpoint takes longer for an earlier one', async () => {
    const cluster = await WebhooksProcess.create({ WEBHOOK_ENDPOINT_CONCURRENCY: '2' });
    const endpointId = await cluster.createEndpoint();
    const start = (chainId: string) => cluster.startDelivery(chainId, endpointId);
    const started = recordStarts(cluster);
    const answers = [Promise.withResolvers<AttemptResult>(), Promise.withResolvers<AttemptResult>()];
    cluster.results.unshift(OK, ...answers.map(({ promise }) => promise));
    await start('chain-5');
    await cluster.clock.advance(10);
    await Promise.all([start('chain-4'), start('chain-3')]);
    const waiting = start('chain-2');
    await cluster.clock.advance(10);

    const release = delayReads(cluster, 'endpoint-');
    answers[0]!.resolve(OK);
    await cluster.clock.advance(10);
    answers[1]!.resolve(OK);
    await cluster.clock.advance(10);
    const last = start('chain-1');
    await cluster.clock.advance(10);
    release();
    await cluster.clock.advance(5_000);
    await Promise.all([waiting, last]);
    expect(started).toEqual(['chain-5', 'chain-4', 'chain-3', 'chain-2', 'chain-1']);
  });
});

/** Returns the ids of the chains whose first attempts start from now on, in the order of their starts. */
function recordStarts(cluster: WebhooksProcess): readonly string[] {
  const started: string[] = [];
  const append = cluster.events.append.bind(cluster.events);
  cluster.events.append = (stream, expected, events) => {
    if (events.some(({ type }) => type === 'AttemptStarted')) started.push(stream.replace('deliveryChain-', ''));
    return append(stream, expected, events);
  };
  return started;
}

/** Delays the reads of these streams until the returned function is called. */
function delayReads(cluster: WebhooksProcess, prefix: string): () => void {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const read = cluster.events.readStream.bind(cluster.events);
  cluster.events.readStream = async function* (stream, options) {
    if (stream.startsWith(prefix)) await released;
    yield* read(stream, options);
  };
  return release;
}
