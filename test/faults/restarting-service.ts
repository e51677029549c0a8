import { setTimeout as delay } from 'node:timers/promises';
import { type Environment, ServiceProcess } from '../support/service-process.js';

/** The longest time to wait for a crash point. */
const TIMEOUT_MS = 60_000;
const OUTPUT_CHARACTERS = 1_000;

/**
 * A service process that is restarted after each end. A caller that asks for it while it is down waits for the next
 * process.
 */
export class RestartingService {
  /** The last output of each process that ended unexpectedly. */
  readonly unexpectedEnds: string[] = [];
  private latest: ServiceProcess | null = null;
  private readonly ended = new WeakSet<ServiceProcess>();
  private next = Promise.withResolvers<ServiceProcess>();

  constructor(
    private readonly dataDir: string,
    private readonly environment: Environment,
  ) {}

  current(): Promise<ServiceProcess> {
    return this.next.promise;
  }

  async start(): Promise<ServiceProcess> {
    const service = (this.latest = await ServiceProcess.start(this.dataDir, this.environment));
    this.next.resolve(service);
    void service.waitForExit().then((end) => this.restartUnexpected(service, end));
    return service;
  }

  /** Restarts a process that ended unexpectedly, as a supervisor does. */
  private async restartUnexpected(service: ServiceProcess, end: NodeJS.Signals | number): Promise<void> {
    if (this.ended.has(service)) return;
    this.unexpectedEnds.push(`ended by itself (${end}): ${service.output.slice(-OUTPUT_CHARACTERS)}`);
    this.next = Promise.withResolvers();
    await this.start();
  }

  /** Kills the process; callers wait for the next one. */
  async kill9(): Promise<void> {
    const service = await this.takeCurrent();
    await service.kill9();
  }

  /** Starts a process that ends at a crash point, possibly before it is ready. @returns its signal or exit code */
  async crashAt(
    crashAt: string,
    whenReady: (service: ServiceProcess) => void = () => undefined,
  ): Promise<string | number> {
    const service = (this.latest = new ServiceProcess(this.dataDir, { ...this.environment, CRASH_AT: crashAt }));
    const serve = () => {
      this.next.resolve(service);
      whenReady(service);
      return true;
    };
    const served = service.ready.then(serve, () => false);
    const end = await Promise.race([service.waitForExit(), delay(TIMEOUT_MS, 'nothing', { ref: false })]);
    // A process that still runs has not reached the crash point.
    await service.kill9();
    if (await served) this.next = Promise.withResolvers();
    return end;
  }

  /** @returns its exit code */
  async stop(): Promise<number | null> {
    return (await this.takeCurrent()).stop();
  }

  /** Kills the current process, so that no process outlives the test. */
  async dispose(): Promise<void> {
    if (this.latest !== null) this.ended.add(this.latest);
    await this.latest?.kill9();
  }

  private async takeCurrent(): Promise<ServiceProcess> {
    const service = await this.next.promise;
    this.ended.add(service);
    this.next = Promise.withResolvers();
    return service;
  }
}
