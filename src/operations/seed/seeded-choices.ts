/** Choices that follow from a seed: the same seed gives the same choices in the same order. */
export class SeededChoices {
  constructor(private state: number) {}

  /** At least 0, below 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, at least `min`, at most `max`. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<T>(all: readonly T[]): T {
    return all[this.between(0, all.length - 1)]!;
  }

  /** True with probability 1 / `times`. */
  isOneIn(times: number): boolean {
    return this.next() * times < 1;
  }
}
