import type { RecordedEvent, RecordedOf } from '../../src/kernel/event.js';
import type { DeliveryChainEvent } from '../../src/webhooks/domain/delivery-chain/facts.js';
import { type ApiResponse, requireData } from '../support/api.js';
import { findBrokenChains, findUnexpectedRequests } from '../support/invariants/deliveries.js';
import { findBrokenJobs } from '../support/invariants/replay-jobs.js';
import { createOwnerKey } from '../support/owner-key.js';
import { Receiver } from '../support/receiver.js';
import { createTempFolder } from '../support/service.js';
import { MINUTE_MS, ReplayScenario } from './replay-scenario.js';

const EVENTS = 120;
const ENVIRONMENT = { WEBHOOK_REPLAY_RATE: '20', WEBHOOK_RETRY_SCHEDULE: '0.05,0.05,0.05', WEBHOOK_TIMEOUT_MS: '1000' };

/** A service that can be killed, with an endpoint that is created after all events. */
class BackfillScenario extends ReplayScenario {
  endpointId = '';

  static async start(): Promise<BackfillScenario> {
    const scenario = new BackfillScenario(await createTempFolder(), await Receiver.start(), ENVIRONMENT);
    await scenario.publishAll();
    return scenario;
  }

  async createJob(): Promise<string> {
    const body = { scope: 'never_planned', endpoint_id: this.endpointId, created_from: '2020-01-01' };
    return requireData(await (await this.createApi()).post('/v1/webhooks/replay-jobs', body)).id;
  }

  private async publishAll(): Promise<void> {
    this.key = await createOwnerKey(await this.service.start());
    const api = await this.createApi();
    for (let i = 0; i < EVENTS; i++) requireData(await api.post('/v1/commerce/products', { name: `Course ${i}` }));
    const endpoint = { url: this.receiver.url('/past'), event_types: ['product.review_requested'] };
    this.endpointId = requireData(await api.post('/v1/webhooks/endpoints', endpoint)).id;
  }
}

describe('A backfill whose process is killed again and again', () => {
  let scenario: BackfillScenario;
  let log: readonly RecordedEvent[];
  let job: ApiResponse['body'];

  beforeAll(async () => {
    scenario = await BackfillScenario.start();
    const id = await scenario.createJob();
    await scenario.crashAt('before-append:20');
    await scenario.killAfter(20);
    await scenario.crashAt('after-append-before-answer:30');
    await scenario.crashAt('after-response-before-attempt-recorded:5');
    await scenario.killAfter(80);
    job = await scenario.waitForEnd(id);
    log = await scenario.readLog();
  }, 3 * MINUTE_MS);
  afterAll(() => scenario.end());

  it('completes and counts each event once', () => {
    expect(job).toMatchObject({ status: 'completed', matched: EVENTS, redelivered: EVENTS, skipped: 0 });
    expect(findBrokenJobs(log)).toEqual([]);
  });

  it('delivers each event of the past in one chain', () => {
    const delivered = (log as RecordedOf<DeliveryChainEvent>[]).filter(({ type }) => type === 'AttemptSucceeded');
    expect(new Set(delivered.map(({ data }) => data.chainId)).size).toBe(EVENTS);
    expect(delivered).toHaveLength(EVENTS);
    expect(findBrokenChains(log)).toEqual([]);
  });

  it('records the attempts that the receiver got', () =>
    expect(findUnexpectedRequests(scenario.receiver.requests, log)).toEqual([]));
});
