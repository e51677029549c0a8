const SECOND_MS = 1_000;

/**
 * Allows at most `perSecond` starts in any second. A rate below one allows one start in a proportionally longer window.
 */
export class SlidingWindowLimiter {
  /** The latest starts as a ring buffer: the next start replaces the oldest. */
  private starts: number[] = [];
  private nextIndex = 0;
  private perSecond = 1;
  private maxStarts = 1;
  private windowMs = SECOND_MS;

  constructor(perSecond: number) {
    this.setRate(perSecond);
  }

  /** Changes the limit. Earlier starts still count. */
  setRate(perSecond: number): void {
    if (perSecond === this.perSecond) return;
    const inOrder = [...this.starts.slice(this.nextIndex), ...this.starts.slice(0, this.nextIndex)];
    this.perSecond = perSecond;
    this.maxStarts = Math.max(1, Math.floor(perSecond));
    this.windowMs = (SECOND_MS * this.maxStarts) / perSecond;
    this.starts = inOrder.slice(-this.maxStarts);
    this.nextIndex = this.starts.length % this.maxStarts;
  }

  get intervalMs(): number {
    return SECOND_MS / this.perSecond;
  }

  /** The time at which the next start is allowed; `-Infinity` while the window is not full. */
  get nextStartAt(): number {
    return this.starts.length < this.maxStarts ? -Infinity : this.starts[this.nextIndex]! + this.windowMs;
  }

  recordStart(at: number): void {
    this.starts[this.nextIndex] = at;
    this.nextIndex = (this.nextIndex + 1) % this.maxStarts;
  }
}
