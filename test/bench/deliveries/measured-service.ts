import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Api, dataOf } from '../../support/api.ts';
import { sessionToken } from '../../support/ops.ts';
import { TEST_ENVIRONMENT, type Environment } from '../../support/service-process.ts';
import { FIRST_KEY, MeasuredServer } from '../server.ts';
import { now } from './steadily.ts';

const MAIN = join(import.meta.dirname, '../../../dist/main.js');
const PLAN = { kind: 'subscription', name: 'Monthly', amount_cents: 4900, currency: 'EUR', interval: 'month' };
/** A profiled process is never quite at rest, so that is not waited for. */
const SETTLING_MS = 700;

export const IN_FLIGHT = 64;
/** No endpoint's limit is met: so many at once, and as many a second as there are. */
export const UNLIMITED: Environment = {
  WEBHOOK_ENDPOINT_CONCURRENCY: String(IN_FLIGHT),
  WEBHOOK_ENDPOINT_RATE: '10000',
  WEBHOOK_ENDPOINT_LIMIT: '200',
};

/** The service on a store of its own, through as many lives as the bench needs. */
export class MeasuredService {
  readonly dataDir: string;
  private readonly environment: Environment;
  private server!: MeasuredServer;
  private key = '';

  private constructor(dataDir: string, environment: Environment) {
    this.dataDir = dataDir;
    this.environment = environment;
  }

  static async start(environment: Environment = {}): Promise<MeasuredService> {
    const service = new MeasuredService(await mkdtemp(join(tmpdir(), 'bench-')), environment);
    await service.restart();
    service.key = FIRST_KEY.exec(service.server.output)![0];
    return service;
  }

  /** As the first business, unless another key is given. */
  api(key = this.key): Api {
    return new Api(this.server.url, key);
  }

  async businessId(): Promise<string> {
    return dataOf(await this.api().get('/v1/auth/me')).business.id;
  }

  /** One that wants everything. @returns its id */
  async endpoint(url: string, api = this.api(), settings: object = {}): Promise<string> {
    return dataOf(await api.post('/v1/webhooks/endpoints', { url, ...settings })).id;
  }

  /** Something of which one public event tells. @returns its id */
  async occur(api = this.api()): Promise<string> {
    return dataOf(await api.post('/v1/commerce/products', { name: 'Learning Space', plans: [PLAN] })).id;
  }

  /** Businesses beside the first one. @returns a key of each */
  async businesses(count: number): Promise<string[]> {
    const owner = this.api(await sessionToken(this.dataDir, 'owner', 'owner@example.com'));
    const keys = [];
    for (let i = 0; i < count; i++) keys.push(await this.business(owner, `Business ${i}`));
    return keys;
  }

  /** Of the whole process, with its threads, since it was asked last. What is left to do behind the last request is done first. */
  async cpuMicros(): Promise<number> {
    await delay(SETTLING_MS);
    return (await this.server.read()).cpuMicros;
  }

  kill9(): Promise<void> {
    return this.server.kill9();
  }

  /** @returns when it was begun */
  async restart(): Promise<number> {
    const began = now();
    this.server = await MeasuredServer.start(MAIN, { ...TEST_ENVIRONMENT, DATA_DIR: this.dataDir, ...this.environment });
    return began;
  }

  /** As it is asked to; it can be restarted. */
  stop(): Promise<void> {
    return this.server.stop();
  }

  async end(): Promise<void> {
    await this.server.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async business(owner: Api, name: string): Promise<string> {
    const { id } = dataOf(await owner.post('/v1/businesses', { name }));
    const wish = { name, mode: 'live', access: 'full' };
    return dataOf(await owner.with({ 'x-service-business-id': id }).post('/v1/auth/api-keys', wish)).secret;
  }
}
