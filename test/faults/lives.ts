import { setTimeout as delay } from 'node:timers/promises';
import { ServiceProcess, type Environment } from '../support/service-process.js';

/** The longest time to wait for a crash point. */
const PATIENCE_MS = 60_000;
const SAID_CHARACTERS = 1_000;

/**
 * A service process that is restarted after each end. A caller that asks for it while it is down waits for the next
 * process.
 */
export class Lives {
  /** The last output of each process that ended unexpectedly. */
  readonly fallen: string[] = [];
  private latest: ServiceProcess | null = null;
  private readonly ended = new WeakSet<ServiceProcess>();
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
    void service.end().then((end) => this.fall(service, end));
    return service;
  }

  /** Restarts a process that ended unexpectedly, as a supervisor does. */
  private async fall(service: ServiceProcess, end: NodeJS.Signals | number): Promise<void> {
    if (this.ended.has(service)) return;
    this.fallen.push(`ended by itself (${end}): ${service.output.slice(-SAID_CHARACTERS)}`);
    this.current = Promise.withResolvers();
    await this.begin();
  }

  /** Kills the process; callers wait for the next one. */
  async kill9(): Promise<void> {
    const service = await this.over();
    await service.kill9();
  }

  /** Starts a process that ends at a crash point, possibly before it is ready. @returns its signal or exit code */
  async endAt(crashAt: string, whenReady: (service: ServiceProcess) => void = () => undefined): Promise<string | number> {
    const service = (this.latest = new ServiceProcess(this.dataDir, { ...this.environment, CRASH_AT: crashAt }));
    const serve = () => {
      this.current.resolve(service);
      whenReady(service);
      return true;
    };
    const served = service.ready.then(serve, () => false);
    const end = await Promise.race([service.end(), delay(PATIENCE_MS, 'nothing', { ref: false })]);
    // A process that still runs has not reached the crash point.
    await service.kill9();
    if (await served) this.current = Promise.withResolvers();
    return end;
  }

  /** @returns its exit code */
  async stop(): Promise<number | null> {
    return (await this.over()).stop();
  }

  /** Kills the current process, so that no process outlives the test. */
  async end(): Promise<void> {
    if (this.latest !== null) this.ended.add(this.latest);
    await this.latest?.kill9();
  }

  private async over(): Promise<ServiceProcess> {
    const service = await this.current.promise;
    this.ended.add(service);
    this.current = Promise.withResolvers();
    return service;
  }
}
