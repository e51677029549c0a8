import type { Clock } from '../kernel/clock.js';

/** A string reason avoids creating an Error with a stack for each abort. */
const RUNG = 'rung';

/** Wakes the waiting caller. A notification without a waiting caller is kept for the next wait. */
export class Bell {
  private rung = false;
  private wake: () => void = () => undefined;

  constructor(private readonly clock: Clock) {}

  ring(): void {
    this.rung = true;
    this.wake();
  }

  /** Waits for the next notification; with `ms`, at most that long. */
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
