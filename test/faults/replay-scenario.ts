import { rm } from 'node:fs/promises';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { Api, type ApiResponse, requireData } from '../support/api.js';
import { findOpenChains } from '../support/invariants/deliveries.js';
import type { Receiver } from '../support/receiver.js';
import type { Environment } from '../support/service-process.js';
import { StoreInspector } from '../support/store-inspector.js';
import { waitFor } from '../webhooks/webhook-fixture.js';
import { RestartingService } from './restarting-service.js';

export const MINUTE_MS = 60_000;

/** A service that can be killed while it runs a replay job, with a receiver. */
export abstract class ReplayScenario {
  protected key = '';
  protected readonly service: RestartingService;

  protected constructor(
    readonly dataDir: string,
    readonly receiver: Receiver,
    environment: Environment,
  ) {
    this.service = new RestartingService(dataDir, environment);
  }

  async end(): Promise<void> {
    await this.service.dispose();
    await this.receiver.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  async createApi(): Promise<Api> {
    return new Api((await this.service.current()).url, this.key);
  }

  /** @param sent the requests of the job, after those before it */
  async killAfter(sent: number, before = 0): Promise<void> {
    await this.receiver.waitUntil(() => this.receiver.requests.length >= before + sent, `request ${sent} of the job`);
    await this.service.kill9();
    await this.service.start();
  }

  /** Lets the process crash at a crash point of the job and restarts it. */
  async crashAt(crashAt: string): Promise<void> {
    await this.service.kill9();
    expect(await this.service.crashAt(crashAt)).toBe('SIGKILL');
    await this.service.start();
  }

  async waitForEnd(id: string): Promise<ApiResponse['body']> {
    const api = await this.createApi();
    return waitFor(async () => {
      const found = requireData(await api.get(`/v1/webhooks/replay-jobs/${id}`));
      return ['pending', 'running'].includes(found.status) ? null : found;
    }, MINUTE_MS);
  }

  /** Reads the log after the retries of lost attempts. */
  async readLog(): Promise<readonly RecordedEvent[]> {
    const evidence = await StoreInspector.open(this.dataDir);
    const log = await waitFor(async () => {
      const soFar = await evidence.readLog();
      return findOpenChains(soFar).length === 0 ? soFar : null;
    }, MINUTE_MS);
    await evidence.close();
    return log;
  }
}
