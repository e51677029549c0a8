import { createHash } from 'node:crypto';
import type { Timeline } from './timeline.js';

/** The trace of a run: a digest of all steps, and the readable text of the important ones. */
export class RunTrace {
  readonly entries: string[] = [];
  private readonly hash = createHash('sha256');
  private steps = 0;

  constructor(private readonly timeline: Timeline) {}

  step(what: string): void {
    this.hash.update(`${this.timeline.now} ${what}\n`);
    this.steps++;
  }

  log(what: string): void {
    this.step(what);
    this.entries.push(`${this.timeline.now.toFixed(1).padStart(9)} ${what}`);
  }

  digest(): { readonly steps: number; readonly sha256: string } {
    return { steps: this.steps, sha256: this.hash.copy().digest('hex') };
  }
}
