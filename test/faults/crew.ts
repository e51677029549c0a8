import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../src/config.js';
import type { Evidence } from '../support/evidence.js';
import { checkpointsOf } from '../support/invariants/read-models.js';
import type { Environment } from '../support/service-process.js';
import { Lives } from './lives.js';

export type Role = Config['role'];

/** Longer than any lease of those who follow the log. */
const STOPPED_MS = 12_000;
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 50;

/** The processes of a trial, each asked in turn unless it is known to be away. */
export class Crew {
  readonly all: readonly Lives[];
  /** Milliseconds from the end or the stop of each to when everybody who follows the log had come past what was in it then. */
  readonly takeovers: number[] = [];
  private readonly away = new Set<Lives>();
  private turn = 0;

  /** @param opsPorts of each process, where it matters */
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
   * What it was about to write when it was stopped, it writes when it goes on: others have done its work by then. Of one that was stopped in
   * the middle of a commit to the embedded store they can do it only then, since it keeps the file.
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
