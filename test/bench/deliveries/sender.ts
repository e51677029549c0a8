import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Api, dataOf } from '../../support/api.ts';
import { TEST_ENVIRONMENT, type Environment } from '../../support/service-process.ts';
import { MeasuredServer } from '../server.ts';

const MAIN = join(import.meta.dirname, '../../../dist/main.js');
const FIRST_KEY = /\bsk_live_[0-9A-Za-z]+/;
export const IN_FLIGHT = 64;
/** A profiled process is never quite at rest, so that is not waited for. */
const SETTLING_MS = 700;

/** No endpoint's limit is met: so many at once, and as many a second as there are. */
const ENVIRONMENT: Environment = {
  ...TEST_ENVIRONMENT,
  WEBHOOK_ENDPOINT_CONCURRENCY: String(IN_FLIGHT),
  WEBHOOK_ENDPOINT_RATE: '10000',
  WEBHOOK_ENDPOINT_LIMIT: '200',
};

/** The service on a store of its own, started and stopped as the bench needs it. */
export class SendingService {
  readonly dataDir: string;
  businessId = '';
  private key = '';
  private server: MeasuredServer | null = null;

  private constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  /** With one endpoint, which wants everything. */
  static async start(endpointUrl: string, environment: Environment = {}): Promise<SendingService> {
    const service = new SendingService(await mkdtemp(join(tmpdir(), 'bench-')));
    await service.begin(environment);
    const { business } = dataOf(await service.api().get('/v1/auth/me'));
    service.businessId = business.id;
    await service.endpoint(endpointUrl);
    return service;
  }

  private async begin(environment: Environment): Promise<void> {
    this.server = await MeasuredServer.start(MAIN, { ...ENVIRONMENT, DATA_DIR: this.dataDir, ...environment });
    this.key = FIRST_KEY.exec(this.server.output)![0];
  }

  api(): Api {
    return new Api(this.server!.url, this.key);
  }

  async endpoint(url: string): Promise<void> {
    dataOf(await this.api().post('/v1/webhooks/endpoints', { url }));
  }

  /** Something of which one public event tells. @returns its id */
  async occur(): Promise<string> {
    const plan = { kind: 'subscription', name: 'Monthly', amount_cents: 4900, currency: 'EUR', interval: 'month' };
    return dataOf(await this.api().post('/v1/commerce/products', { name: 'Learning Space', plans: [plan] })).id;
  }

  /** Of the whole process, with its threads, since it was asked last. What is left to do behind the last request is done first. */
  async cpuMicros(): Promise<number> {
    await delay(SETTLING_MS);
    return (await this.server!.read()).cpuMicros;
  }

  async end(): Promise<void> {
    await this.server?.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
