import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../src/config.js';
import type { Evidence } from '../support/evidence.js';
import { checkpointsOf } from '../support/invariants/read-models.js';
import type { Environment } from '../support/service-process.js';
import { Lives } from './lives.js';

export type Role = Config['role'];

/** Longer than any lease of a consumer. */
const STOPPED_MS = 12_000;
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 50;

/** The service processes of a trial; requests go to the running ones in turn. */
export class Crew {
  readonly all: readonly Lives[];
  /** Milliseconds from each kill or stop of a process until all consumers had passed the head of that time. */
  readonly takeovers: number[] = [];
  private readonly away = new Set<Lives>();
  private turn = 0;

  /** @param opsPorts of each process, if a test uses them */
  constructor(dataDir: string, environment: Environment, roles: readonly Role[], opsPorts: readonly number[] = []) {
    this.all = roles.map(
      (role, i) => new Lives(dataDir, { ...environment, ROLE: role, ...(i in opsPorts && { OPS_PORT: String(opsPorts[i]) }) }),
    );
  }

  async nextUrl(): Promise<string> {
    const there = this.all.filter((lives) => !this.away.has(lives));
    return (await there[this.turn++ % there.length]!.service()).url;
  }

  async killed(lives: Lives, evidence: Evidence): Promise<void> {
    this.away.add(lives);
    await lives.kill9();
    await this.takenOver(evidence);
    this.away.delete(lives);
  }

  /**
   * Stops a process for longer than its leases. When it continues it writes what it was about to write, although other
   * processes have done its work. If it stops during a commit to the embedded store, the others wait for the locked
   * file.
   */
  async stopped(lives: Lives, evidence: Evidence): Promise<void> {
    const { pid } = await lives.service();
    this.away.add(lives);
    process.kill(pid, 'SIGSTOP');
    const goesOn = delay(STOPPED_MS).then(() => process.kill(pid, 'SIGCONT'));
    await Promise.all([this.takenOver(evidence), goesOn]);
    this.away.delete(lives);
  }

  private async takenOver(evidence: Evidence): Promise<void> {
    const began = performance.now();
    const head = await evidence.events.head();
    while ([...(await checkpointsOf(evidence)).values()].some((position) => position < head)) {
      if (performance.now() - began > PATIENCE_MS) break;
      await delay(LOOK_AGAIN_MS);
    }
    this.takeovers.push(Math.round(performance.now() - began));
  }
}
