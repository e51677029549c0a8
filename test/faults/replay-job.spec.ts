import type { RecordedEvent, RecordedOf } from '../../src/kernel/event.js';
import type { DeliveryChainEvent } from '../../src/webhooks/domain/delivery-chain/facts.js';
import { type ApiResponse, requireData } from '../support/api.js';
import { findBrokenChains, findUnexpectedRequests } from '../support/invariants/deliveries.js';
import { createOwnerKey } from '../support/owner-key.js';
import { Receiver } from '../support/receiver.js';
import { respondWith } from '../support/receiver-responses.js';
import { createTempFolder } from '../support/service.js';
import { MINUTE_MS, ReplayScenario } from './replay-scenario.js';

const ENDPOINTS = 4;
const EVENTS = 25;
const CHAINS = ENDPOINTS * EVENTS;
const ENVIRONMENT = {
  WEBHOOK_REPLAY_RATE: '20',
  WEBHOOK_RETRY_SCHEDULE: '0.05,0.05,0.05,0.05,0.05',
  WEBHOOK_TIMEOUT_MS: '1000',
};

/** A service that can be killed, with endpoints that have rejected every delivery. */
class RejectedScenario extends ReplayScenario {
  readonly endpointIds: string[] = [];

  static async start(): Promise<RejectedScenario> {
    const recovery = new RejectedScenario(await createTempFolder(), await Receiver.start(), ENVIRONMENT);
    await recovery.refuseAll();
    return recovery;
  }

  /** Creates a replay job for all deliveries; returns its id. */
  async createJob(): Promise<string> {
    const created_from = new Date().toISOString().slice(0, 10);
    const { id } = requireData(await (await this.createApi()).post('/v1/webhooks/replay-jobs', { created_from }));
    return id;
  }

  private async refuseAll(): Promise<void> {
    this.key = await createOwnerKey(await this.service.start());
    const api = await this.createApi();
    for (let i = 0; i < ENDPOINTS; i++) {
      this.receiver.setResponses(`/${i}`, respondWith(400));
      const endpoint = { url: this.receiver.url(`/${i}`), event_types: ['product.review_requested'] };
      this.endpointIds.push(requireData(await api.post('/v1/webhooks/endpoints', endpoint)).id);
    }
    await Promise.all(
      Array.from({ length: EVENTS }, (_, i) => api.post('/v1/commerce/products', { name: `Course ${i}` })),
    );
    await this.receiver.waitUntil(() => this.receiver.requests.length >= CHAINS, 'every delivery');
    for (let i = 0; i < ENDPOINTS; i++) this.receiver.setResponses(`/${i}`, respondWith(200));
  }
}

describe('A replay job whose process is killed again and again', () => {
  let scenario: RejectedScenario;
  let log: readonly RecordedEvent[];
  let job: ApiResponse['body'];

  beforeAll(async () => {
    scenario = await RejectedScenario.start();
    const id = await scenario.createJob();
    await scenario.crashAt('before-append:20');
    await scenario.killAfter(20, CHAINS);
    await scenario.crashAt('after-response-before-attempt-recorded:5');
    await scenario.killAfter(60, CHAINS);
    job = await scenario.waitForEnd(id);
    log = await scenario.readLog();
  }, 3 * MINUTE_MS);
  afterAll(() => scenario.end());

  const filterJobEvents = () =>
    (log as RecordedOf<DeliveryChainEvent>[]).filter(
      ({ data }) => 'replayJobId' in data && data.replayJobId === job.id,
    );

  it('redelivers every delivery chain once', () => {
    const attempts = filterJobEvents().filter(({ type }) => type === 'AttemptStarted');
    expect(new Set(attempts.map(({ data }) => data.chainId)).size).toBe(CHAINS);
    expect(attempts).toHaveLength(CHAINS);
  });

  it('completes and counts each delivery chain', () => {
    const lost = filterJobEvents().filter(({ type }) => type === 'AttemptLost').length;
    expect(job).toMatchObject({ status: 'completed', matched: CHAINS, redelivered: CHAINS, skipped: 0 });
    expect([job.succeeded, job.failed]).toEqual([CHAINS - lost, lost]);
  });

  it('holds every delivery chain before it sends an attempt', () => {
    const positions = (type: string) =>
      filterJobEvents()
        .filter((event) => event.type === type)
        .map(({ position }) => position);
    const [held, attempts] = [positions('DeliveryChainHeld'), positions('AttemptStarted')];
    expect(held).toHaveLength(CHAINS);
    expect(held.every((position) => attempts.every((later) => position < later))).toBe(true);
  });

  it('records the attempts that receivers got and delivers attempts lost at a kill by a retry', () => {
    expect(findUnexpectedRequests(scenario.receiver.requests, log)).toEqual([]);
    expect(findBrokenChains(log)).toEqual([]);
    const delivered = (log as RecordedOf<DeliveryChainEvent>[]).filter(({ type }) => type === 'AttemptSucceeded');
    expect(new Set(delivered.map(({ data }) => data.chainId)).size).toBe(CHAINS);
  });
});
