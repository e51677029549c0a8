import { rm } from 'node:fs/promises';
import type { Recorded, RecordedOf } from '../../src/kernel/event.js';
import type { ChainEvent } from '../../src/webhooks/domain/chain.js';
import { status } from '../support/answers.js';
import { Api, dataOf, type Reply } from '../support/api.js';
import { Evidence } from '../support/evidence.js';
import { brokenChains, openChains, strangeRequests } from '../support/invariants/deliveries.js';
import { ownersKey } from '../support/owners-key.js';
import { Receiver } from '../support/receiver.js';
import { freshFolder } from '../support/service.js';
import { eventually } from '../webhooks/desk.js';
import { Lives } from './lives.js';

const ENDPOINTS = 4;
const EVENTS = 25;
const CHAINS = ENDPOINTS * EVENTS;
const ENVIRONMENT = { WEBHOOK_REPLAY_RATE: '20', WEBHOOK_RETRY_SCHEDULE: '0.05,0.05,0.05,0.05,0.05', WEBHOOK_TIMEOUT_MS: '1000' };
const MINUTE_MS = 60_000;

/** A service that can be killed, with endpoints that have rejected every delivery. */
class Recovery {
  readonly endpointIds: string[] = [];
  private readonly lives: Lives;
  private key = '';

  private constructor(
    readonly dataDir: string,
    readonly receiver: Receiver,
  ) {
    this.lives = new Lives(dataDir, ENVIRONMENT);
  }

  static async begin(): Promise<Recovery> {
    const recovery = new Recovery(await freshFolder(), await Receiver.start());
    await recovery.refuseAll();
    return recovery;
  }

  async end(): Promise<void> {
    await this.lives.end();
    await this.receiver.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  async api(): Promise<Api> {
    return new Api((await this.lives.service()).url, this.key);
  }

  /** Creates a replay job for all deliveries; returns its id. */
  async job(): Promise<string> {
    const created_from = new Date().toISOString().slice(0, 10);
    const { id } = dataOf(await (await this.api()).post('/v1/webhooks/replay-jobs', { created_from }));
    return id;
  }

  async killAfter(sent: number): Promise<void> {
    await this.receiver.until(() => this.receiver.requests.length >= CHAINS + sent, `request ${sent} of the job`);
    await this.restart(() => this.lives.kill9());
  }

  /** Lets the process crash at a crash point of the job and restarts it. */
  async dieAt(crashAt: string): Promise<void> {
    await this.restart(async () => {
      await this.lives.kill9();
      expect(await this.lives.endAt(crashAt)).toBe('SIGKILL');
    });
  }

  async ended(id: string): Promise<Reply['body']> {
    const api = await this.api();
    return eventually(async () => {
      const found = dataOf(await api.get(`/v1/webhooks/replay-jobs/${id}`));
      return ['pending', 'running'].includes(found.status) ? null : found;
    }, MINUTE_MS);
  }

  /** Reads the log after the retries of lost attempts. */
  async log(): Promise<readonly Recorded[]> {
    const evidence = await Evidence.open(this.dataDir);
    const log = await eventually(async () => {
      const soFar = await evidence.log();
      return openChains(soFar).length === 0 ? soFar : null;
    }, MINUTE_MS);
    await evidence.close();
    return log;
  }

  private async restart(die: () => Promise<void>): Promise<void> {
    await die();
    await this.lives.begin();
  }

  private async refuseAll(): Promise<void> {
    this.key = await ownersKey(await this.lives.begin());
    const api = await this.api();
    for (let i = 0; i < ENDPOINTS; i++) {
      this.receiver.answers(`/${i}`, status(400));
      const endpoint = { url: this.receiver.url(`/${i}`), event_types: ['product.review_requested'] };
      this.endpointIds.push(dataOf(await api.post('/v1/webhooks/endpoints', endpoint)).id);
    }
    await Promise.all(Array.from({ length: EVENTS }, (_, i) => api.post('/v1/commerce/products', { name: `Course ${i}` })));
    await this.receiver.until(() => this.receiver.requests.length >= CHAINS, 'every delivery');
    for (let i = 0; i < ENDPOINTS; i++) this.receiver.answers(`/${i}`, status(200));
  }
}

describe('A replay job whose process is killed again and again', () => {
  let recovery: Recovery;
  let log: readonly Recorded[];
  let job: Reply['body'];

  beforeAll(async () => {
    recovery = await Recovery.begin();
    const id = await recovery.job();
    await recovery.dieAt('before-append:20');
    await recovery.killAfter(20);
    await recovery.dieAt('after-response-before-attempt-recorded:5');
    await recovery.killAfter(60);
    job = await recovery.ended(id);
    log = await recovery.log();
  }, 3 * MINUTE_MS);
  afterAll(() => recovery.end());

  const ofJob = () => (log as RecordedOf<ChainEvent>[]).filter(({ data }) => 'replayJobId' in data && data.replayJobId === job.id);

  it('redelivers every delivery chain once', () => {
    const begun = ofJob().filter(({ type }) => type === 'AttemptStarted');
    expect(new Set(begun.map(({ data }) => data.chainId)).size).toBe(CHAINS);
    expect(begun).toHaveLength(CHAINS);
  });

  it('completes and counts each delivery chain', () => {
    const lost = ofJob().filter(({ type }) => type === 'AttemptLost').length;
    expect(job).toMatchObject({ status: 'completed', matched: CHAINS, redelivered: CHAINS, skipped: 0 });
    expect([job.succeeded, job.failed]).toEqual([CHAINS - lost, lost]);
  });

  it('holds every delivery chain before it sends an attempt', () => {
    const positions = (type: string) =>
      ofJob()
        .filter((event) => event.type === type)
        .map(({ position }) => position);
    const [held, begun] = [positions('ChainHeld'), positions('AttemptStarted')];
    expect(held).toHaveLength(CHAINS);
    expect(held.every((position) => begun.every((later) => position < later))).toBe(true);
  });

  it('records the attempts that receivers got and delivers attempts lost at a kill by a retry', () => {
    expect(strangeRequests(recovery.receiver.requests, log)).toEqual([]);
    expect(brokenChains(log)).toEqual([]);
    const delivered = (log as RecordedOf<ChainEvent>[]).filter(({ type }) => type === 'AttemptSucceeded');
    expect(new Set(delivered.map(({ data }) => data.chainId)).size).toBe(CHAINS);
  });
});
