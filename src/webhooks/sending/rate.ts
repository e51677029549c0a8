const SECOND_MS = 1_000;

/** So many starts within any second, as fast as they come, and not one more; below one a second, one in so much longer. */
export class Rate {
  /** The latest of them; the oldest stands where the next will. */
  private starts: number[] = [];
  private next = 0;
  private perSecond = 1;
  private most = 1;
  private windowMs = SECOND_MS;

  constructor(perSecond: number) {
    this.limit(perSecond);
  }

  /** From now on; what was started before counts. */
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

  /** When one more may start; `-Infinity` while there is room. */
  get opensAt(): number {
    return this.starts.length < this.most ? -Infinity : this.starts[this.next]! + this.windowMs;
  }

  add(at: number): void {
    this.starts[this.next] = at;
    this.next = (this.next + 1) % this.most;
  }
}
