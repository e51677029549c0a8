import { setTimeout as delay } from 'node:timers/promises';
import { ServiceProcess, type Environment } from '../support/service-process.js';

/** How long a crash point may keep its process waiting. */
const PATIENCE_MS = 60_000;

/** One service on one store, through all its lives: who asks for it while it is dead waits for the next one. */
export class Lives {
  private latest: ServiceProcess | null = null;
  private current = Promise.withResolvers<ServiceProcess>();

  constructor(
    private readonly dataDir: string,
    private readonly environment: Environment,
  ) {}

  service(): Promise<ServiceProcess> {
    return this.current.promise;
  }

  async begin(): Promise<ServiceProcess> {
    const service = (this.latest = await ServiceProcess.start(this.dataDir, this.environment));
    this.current.resolve(service);
    return service;
  }

  /** From now on whoever asks waits. */
  async kill9(): Promise<void> {
    const service = await this.over();
    await service.kill9();
  }

  /** A life that is to end by itself at a crash point, be it ready by then or not. @returns what it ended of */
  async endAt(crashAt: string, whenReady: (service: ServiceProcess) => void = () => undefined): Promise<string | number> {
    const service = (this.latest = new ServiceProcess(this.dataDir, { ...this.environment, CRASH_AT: crashAt }));
    const serve = () => {
      this.current.resolve(service);
      whenReady(service);
      return true;
    };
    const served = service.ready.then(serve, () => false);
    const end = await Promise.race([service.end(), delay(PATIENCE_MS, 'nothing', { ref: false })]);
    // One that lives on has missed its point.
    await service.kill9();
    if (await served) this.current = Promise.withResolvers();
    return end;
  }

  /** @returns its exit code */
  async stop(): Promise<number | null> {
    return (await this.over()).stop();
  }

  /** Whatever is left of it, so that no process outlives the test. */
  async end(): Promise<void> {
    await this.latest?.kill9();
  }

  private async over(): Promise<ServiceProcess> {
    const service = await this.current.promise;
    this.current = Promise.withResolvers();
    return service;
  }
}
