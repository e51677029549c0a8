import type { SeededRandom } from '../support/clock.js';

/** Seeded random choices, and unique texts that identify a write in the log. */
export class RandomChoices {
  private marks = 0;

  constructor(private readonly random: SeededRandom) {}

  /** Returns a unique text. */
  createMark(what: string): string {
    return `${what}-${++this.marks}`;
  }

  pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.random.next() * all.length)]!;
  }

  /** Returns true with probability 1 / `times`. */
  isOneIn(times: number): boolean {
    return this.random.next() * times < 1;
  }
}
