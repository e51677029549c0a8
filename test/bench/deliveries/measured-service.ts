import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Api, requireData } from '../../support/api.ts';
import { signSessionToken } from '../../support/ops.ts';
import { type Environment, TEST_ENVIRONMENT } from '../../support/service-process.ts';
import { FIRST_KEY, MeasuredServer } from '../server.ts';
import { getTime } from './steady-requests.ts';

const MAIN = join(import.meta.dirname, '../../../dist/main.js');
const PLAN = { kind: 'subscription', name: 'Monthly', amount_cents: 4900, currency: 'EUR', interval: 'month' };
/** A profiled process is never idle, so the bench does not wait for idleness. */
const SETTLING_MS = 700;

export const IN_FLIGHT = 64;
/** Settings without effective endpoint limits. */
export const UNLIMITED: Environment = {
  WEBHOOK_ENDPOINT_CONCURRENCY: String(IN_FLIGHT),
  WEBHOOK_ENDPOINT_RATE: '10000',
  WEBHOOK_ENDPOINT_LIMIT: '200',
};

/** The service on a separate store; it can be restarted. */
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

  /** Creates a client, by default with the key of the first business. */
  createApi(key = this.key): Api {
    return new Api(this.server.url, key);
  }

  async readBusinessId(): Promise<string> {
    return requireData(await this.createApi().get('/v1/auth/me')).business.id;
  }

  /** Creates an endpoint that subscribes to all types. @returns its id */
  async createEndpoint(url: string, api = this.createApi(), settings: object = {}): Promise<string> {
    return requireData(await api.post('/v1/webhooks/endpoints', { url, ...settings })).id;
  }

  /** Creates a product, which causes one public event. @returns its id */
  async causeEvent(api = this.createApi()): Promise<string> {
    return requireData(await api.post('/v1/commerce/products', { name: 'Learning Space', plans: [PLAN] })).id;
  }

  /** Creates more businesses. @returns one key of each */
  async createBusinesses(count: number): Promise<string[]> {
    const owner = this.createApi(await signSessionToken(this.dataDir, 'owner', 'owner@example.com'));
    const keys = [];
    for (let i = 0; i < count; i++) keys.push(await this.createBusiness(owner, `Business ${i}`));
    return keys;
  }

  /**
   * Returns the CPU time of the process with all threads since the previous call, after the work of the last request is
   * done.
   */
  async takeCpuMicros(): Promise<number> {
    await delay(SETTLING_MS);
    return (await this.server.read()).cpuMicros;
  }

  kill9(): Promise<void> {
    return this.server.kill9();
  }

  /** Restarts the service. @returns the time of the start */
  async restart(): Promise<number> {
    const began = getTime();
    this.server = await MeasuredServer.start(MAIN, {
      ...TEST_ENVIRONMENT,
      DATA_DIR: this.dataDir,
      ...this.environment,
    });
    return began;
  }

  /** Stops the service; it can be restarted. */
  stop(): Promise<void> {
    return this.server.stop();
  }

  async dispose(): Promise<void> {
    await this.server.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async createBusiness(owner: Api, name: string): Promise<string> {
    const { id } = requireData(await owner.post('/v1/businesses', { name }));
    const options = { name, mode: 'live', access: 'full' };
    return requireData(await owner.withHeaders({ 'x-service-business-id': id }).post('/v1/auth/api-keys', options))
      .secret;
  }
}
