import { ServiceProcess, type Environment } from '../support/service-process.js';

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
