import type { Clock } from '../kernel/clock.js';

/** A string reason avoids creating an Error with a stack for each abort. */
const NOTIFIED = 'notified';

/** Wakes the waiting caller. A notification without a waiting caller is kept for the next wait. */
export class AsyncSignal {
  private isNotified = false;
  private wake: () => void = () => undefined;

  constructor(private readonly clock: Clock) {}

  notify(): void {
    this.isNotified = true;
    this.wake();
  }

  /** Waits for the next notification; with `ms`, at most that long. */
  async wait(ms?: number): Promise<void> {
    if (!this.isNotified) await (ms === undefined ? this.waitForNotification() : this.waitWithTimeout(ms));
    this.isNotified = false;
  }

  private waitForNotification(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private waitWithTimeout(ms: number): Promise<void> {
    const controller = new AbortController();
    this.wake = () => controller.abort(NOTIFIED);
    return this.clock.sleep(ms, controller.signal);
  }
}
