import type { SeededRandom } from '../support/clock.js';

/** Chance on a seed, and marks by which a write is found in the log again. */
export class Luck {
  private marks = 0;

  constructor(private readonly random: SeededRandom) {}

  /** A text that nothing else has. */
  mark(what: string): string {
    return `${what}-${++this.marks}`;
  }

  oneOf<T>(all: readonly T[]): T {
    return all[Math.floor(this.random.next() * all.length)]!;
  }

  /** True once in so many times. */
  oneIn(times: number): boolean {
    return this.random.next() * times < 1;
  }
}
