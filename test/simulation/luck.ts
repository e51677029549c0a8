import { Random } from '../../src/kernel/clock.js';

/** Chance from a seed. Each part of a world draws from a sequence of its own, so that one more lot here moves nothing there. */
export class Luck extends Random {
  private state: number;

  constructor(
    private readonly seed: number,
    private readonly name = 'world',
  ) {
    super();
    this.state = [...`${seed} ${name}`].reduce((hash, character) => mixed(hash ^ character.charCodeAt(0)), 0x9e3779b9);
  }

  fork(name: string): Luck {
    return new Luck(this.seed, `${this.name}/${name}`);
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    return (mixed(this.state) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }

  between(from: number, to: number): number {
    return from + this.next() * (to - from);
  }

  /** Both ends inclusive. */
  whole(from: number, to: number): number {
    return Math.floor(this.between(from, to + 1));
  }

  oneOf<T>(all: readonly T[]): T {
    return all[Math.floor(this.next() * all.length)]!;
  }

  /** One of several, each as likely as its share of the whole. */
  oneOfShares<T>(all: readonly (readonly [share: number, one: T])[]): T {
    const whole = all.reduce((sum, [share]) => sum + share, 0);
    let lot = this.between(0, whole);
    for (const [share, one] of all) {
      lot -= share;
      if (lot < 0) return one;
    }
    return all.at(-1)![1];
  }
}

function mixed(state: number): number {
  const once = Math.imul(state ^ (state >>> 15), state | 1);
  const twice = once ^ (once + Math.imul(once ^ (once >>> 7), once | 61));
  return twice ^ (twice >>> 14);
}
