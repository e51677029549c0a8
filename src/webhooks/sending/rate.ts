const SECOND_MS = 1_000;

/**
 * Allows at most `perSecond` starts in any second. A rate below one allows one start in a proportionally longer window.
 */
export class Rate {
  /** The latest starts as a ring buffer: the next start replaces the oldest. */
  private starts: number[] = [];
  private next = 0;
  private perSecond = 1;
  private most = 1;
  private windowMs = SECOND_MS;

  constructor(perSecond: number) {
    this.limit(perSecond);
  }

  /** Changes the limit. Earlier starts still count. */
  limit(perSecond: number): void {
    if (perSecond === this.perSecond) return;
    const inOrder = [...this.starts.slice(this.next), ...this.starts.slice(0, this.next)];
    this.perSecond = perSecond;
    this.most = Math.max(1, Math.floor(perSecond));
    this.windowMs = (SECOND_MS * this.most) / perSecond;
    this.starts = inOrder.slice(-this.most);
    this.next = this.starts.length % this.most;
  }

  get eachMs(): number {
    return SECOND_MS / this.perSecond;
  }

  /** The time at which the next start is allowed; `-Infinity` while the window is not full. */
  get opensAt(): number {
    return this.starts.length < this.most ? -Infinity : this.starts[this.next]! + this.windowMs;
  }

  add(at: number): void {
    this.starts[this.next] = at;
    this.next = (this.next + 1) % this.most;
  }
}
