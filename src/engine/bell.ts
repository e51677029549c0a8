import type { Clock } from '../kernel/clock.js';

/** Without a reason of its own every abort would make an error, with its stack. */
const RUNG = 'rung';

/** Wakes the one who waits. A ring that finds nobody waiting is kept for the next wait. */
export class Bell {
  private rung = false;
  private wake: () => void = () => undefined;

  constructor(private readonly clock: Clock) {}

  ring(): void {
    this.rung = true;
    this.wake();
  }

  /** Until the next ring; with `ms`, no longer than that. */
  async wait(ms?: number): Promise<void> {
    if (!this.rung) await (ms === undefined ? this.untilRung() : this.untilRungOr(ms));
    this.rung = false;
  }

  private untilRung(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private untilRungOr(ms: number): Promise<void> {
    const controller = new AbortController();
    this.wake = () => controller.abort(RUNG);
    return this.clock.sleep(ms, controller.signal);
  }
}
