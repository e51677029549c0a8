import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api, dataOf } from '../../support/api.ts';
import { sessionToken } from '../../support/ops.ts';
import { ServiceProcess, type Environment } from '../../support/service-process.ts';

const PLAN = { kind: 'subscription', name: 'Monthly', amount_cents: 4900, currency: 'EUR', interval: 'month' };

/** The service on a store of its own, through several lives. */
export class LastingService {
  readonly dataDir: string;
  private readonly environment: Environment;
  private process!: ServiceProcess;
  private key = '';

  private constructor(dataDir: string, environment: Environment) {
    this.dataDir = dataDir;
    this.environment = environment;
  }

  static async start(environment: Environment = {}): Promise<LastingService> {
    const service = new LastingService(await mkdtemp(join(tmpdir(), 'bench-')), environment);
    await service.restart();
    service.key = service.process.firstKey;
    return service;
  }

  /** As the first business, unless another key is given. */
  api(key = this.key): Api {
    return new Api(this.process.url, key);
  }

  async businessId(): Promise<string> {
    return dataOf(await this.api().get('/v1/auth/me')).business.id;
  }

  async endpoint(url: string, api = this.api()): Promise<string> {
    return dataOf(await api.post('/v1/webhooks/endpoints', { url })).id;
  }

  /** Something of which one public event tells. @returns its id */
  async occur(api = this.api()): Promise<string> {
    return dataOf(await api.post('/v1/commerce/products', { name: 'Learning Space', plans: [PLAN] })).id;
  }

  /** Businesses beside the first one. @returns a key of each */
  async businesses(count: number): Promise<string[]> {
    const owner = new Api(this.process.url, await sessionToken(this.dataDir, 'owner', 'owner@example.com'));
    const keys = [];
    for (let i = 0; i < count; i++) keys.push(await this.business(owner, `Business ${i}`));
    return keys;
  }

  kill9(): Promise<void> {
    return this.process.kill9();
  }

  /** @returns when it was begun */
  async restart(): Promise<number> {
    const began = performance.timeOrigin + performance.now();
    this.process = await ServiceProcess.start(this.dataDir, this.environment);
    return began;
  }

  async end(): Promise<void> {
    if (this.process.isRunning) await this.process.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async business(owner: Api, name: string): Promise<string> {
    const { id } = dataOf(await owner.post('/v1/businesses', { name }));
    const wish = { name, mode: 'live', access: 'full' };
    return dataOf(await owner.with({ 'x-service-business-id': id }).post('/v1/auth/api-keys', wish)).secret;
  }
}
