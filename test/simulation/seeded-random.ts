import { Random } from '../../src/kernel/clock.js';

/**
 * A seeded generator of random numbers. Each part of a run has its own fork, so an additional number in one part does
 * not change the others.
 */
export class SimulationRandom extends Random {
  private state: number;

  constructor(
    private readonly seed: number,
    private readonly name = 'world',
  ) {
    super();
    this.state = [...`${seed} ${name}`].reduce((hash, character) => mix(hash ^ character.charCodeAt(0)), 0x9e3779b9);
  }

  fork(name: string): SimulationRandom {
    return new SimulationRandom(this.seed, `${this.name}/${name}`);
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    return (mix(this.state) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }

  between(from: number, to: number): number {
    return from + this.next() * (to - from);
  }

  /** Returns a whole number; both ends are inclusive. */
  integer(from: number, to: number): number {
    return Math.floor(this.between(from, to + 1));
  }

  pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.next() * all.length)]!;
  }

  /** Returns one of several items, with a probability proportional to its share. */
  pickWeighted<T>(all: readonly (readonly [share: number, one: T])[]): T {
    const whole = all.reduce((sum, [share]) => sum + share, 0);
    let lot = this.between(0, whole);
    for (const [share, one] of all) {
      lot -= share;
      if (lot < 0) return one;
    }
    return all.at(-1)![1];
  }
}

function mix(state: number): number {
  const once = Math.imul(state ^ (state >>> 15), state | 1);
  const twice = once ^ (once + Math.imul(once ^ (once >>> 7), once | 61));
  return twice ^ (twice >>> 14);
}
