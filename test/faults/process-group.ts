import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../src/config/config.js';
import { readCheckpoints } from '../support/invariants/read-models.js';
import type { Environment } from '../support/service-process.js';
import type { StoreInspector } from '../support/store-inspector.js';
import { RestartingService } from './restarting-service.js';

export type Role = Config['role'];

/** Longer than any lease of a consumer. */
const STOPPED_MS = 12_000;
const TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/** The service processes of a trial; requests go to the running ones in turn. */
export class ProcessGroup {
  readonly all: readonly RestartingService[];
  /** Milliseconds from each kill or stop of a process until all consumers had passed the head of that time. */
  readonly takeovers: number[] = [];
  private readonly missing = new Set<RestartingService>();
  private turn = 0;

  /** @param opsPorts of each process, if a test uses them */
  constructor(dataDir: string, environment: Environment, roles: readonly Role[], opsPorts: readonly number[] = []) {
    this.all = roles.map(
      (role, i) =>
        new RestartingService(dataDir, {
          ...environment,
          ROLE: role,
          ...(i in opsPorts && { OPS_PORT: String(opsPorts[i]) }),
        }),
    );
  }

  async nextUrl(): Promise<string> {
    const there = this.all.filter((service) => !this.missing.has(service));
    return (await there[this.turn++ % there.length]!.current()).url;
  }

  async killAndWait(service: RestartingService, evidence: StoreInspector): Promise<void> {
    this.missing.add(service);
    await service.kill9();
    await this.waitForTakeover(evidence);
    this.missing.delete(service);
  }

  /**
   * Stops a process for longer than its leases. When it continues it writes what it was about to write, although other
   * processes have done its work. If it stops during a commit to the embedded store, the others wait for the locked
   * file.
   */
  async pauseAndWait(service: RestartingService, evidence: StoreInspector): Promise<void> {
    const { pid } = await service.current();
    this.missing.add(service);
    process.kill(pid, 'SIGSTOP');
    const goesOn = delay(STOPPED_MS).then(() => process.kill(pid, 'SIGCONT'));
    await Promise.all([this.waitForTakeover(evidence), goesOn]);
    this.missing.delete(service);
  }

  private async waitForTakeover(evidence: StoreInspector): Promise<void> {
    const began = performance.now();
    const head = await evidence.events.readHead();
    while ([...(await readCheckpoints(evidence)).values()].some((position) => position < head)) {
      if (performance.now() - began > TIMEOUT_MS) break;
      await delay(POLL_MS);
    }
    this.takeovers.push(Math.round(performance.now() - began));
  }
}
