import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_ENVIRONMENT } from '../../support/service-process.ts';
import { toBuiltPath } from '../built.ts';
import { MeasuredServer } from '../server.ts';
import { buyRange, createShops, type Shop } from './shops.ts';

/** A service in its own process with one shop. */
export class MeasuredShop {
  readonly service: MeasuredServer;
  private readonly shop: Shop;
  private readonly dataDir: string;
  private buyers = 0;

  private constructor(service: MeasuredServer, shop: Shop, dataDir: string) {
    this.service = service;
    this.shop = shop;
    this.dataDir = dataDir;
  }

  /** @param settings of the service, or a function that prepares its folder and returns them */
  static async start(settings: NodeJS.ProcessEnv | ((dataDir: string) => Promise<NodeJS.ProcessEnv>) = {}) {
    const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
    const given = typeof settings === 'function' ? await settings(dataDir) : settings;
    const environment = { ...TEST_ENVIRONMENT, PRODUCT_REVIEW: 'auto', DATA_DIR: dataDir, ...given };
    const service = await MeasuredServer.start(toBuiltPath('main.js'), environment);
    const [shop] = await createShops(service.url, dataDir, 1);
    return new MeasuredShop(service, shop!, dataDir);
  }

  /** Returns the CPU time of one checkout with the work after its responses, in milliseconds. */
  async buy(checkouts: number): Promise<number> {
    await this.service.takeCpuMicrosUntilIdle();
    const first = this.buyers;
    this.buyers += checkouts;
    await buyRange([this.shop], first, this.buyers);
    return (await this.service.takeCpuMicrosUntilIdle()) / checkouts / 1_000;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
