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

  /** Returns one of the preferred ones in 3 of 4 cases, else one of all. */
  pickMostly<T>(preferred: readonly T[], all: readonly T[]): T {
    return this.pick(preferred.length === 0 || this.isOneIn(4) ? all : preferred);
  }

  /** Returns true with probability 1 / `times`. */
  isOneIn(times: number): boolean {
    return this.random.next() * times < 1;
  }
}
