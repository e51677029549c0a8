import type { Clock } from '../../kernel/clock.js';
import type { Position } from '../../kernel/position.js';

/** After so long without an answer the next append is made beside it: who asks later need not wait for the deadline of the first. */
const SLOW_MS = 1_000;

interface Round {
  readonly acknowledged: Promise<Position>;
  resolve(position: Position): void;
  reject(error: unknown): void;
}

/**
 * Positions that the log has acknowledged after somebody asked. Who asks while an append is under way shares the next one, so however many
 * ask, there is one append at a time.
 */
export class Barrier {
  /** Of those who asked since the last append began. */
  private waiting: Round | null = null;
  private isRunning = false;

  constructor(
    private readonly append: () => Promise<Position>,
    private readonly clock: Clock,
  ) {}

  confirmed(): Promise<Position> {
    const round = (this.waiting ??= newRound());
    if (!this.isRunning) void this.run();
    return round.acknowledged;
  }

  /** Another append of this process: once it is acknowledged it confirms what was asked for before it began. */
  async serve<T>(append: () => Promise<T>, positionOf: (answer: T) => Position | null): Promise<T> {
    const round = this.waiting;
    const answer = await append();
    const position = positionOf(answer);
    if (round === null || position === null) return answer;
    round.resolve(position);
    if (this.waiting === round) this.waiting = null;
    return answer;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (let round = this.take(); round !== null; round = this.take()) {
      const answered = new AbortController();
      const settled = this.settle(round).finally(() => answered.abort('answered'));
      await Promise.race([settled, this.clock.sleep(SLOW_MS, answered.signal)]);
    }
    this.isRunning = false;
  }

  private take(): Round | null {
    const round = this.waiting;
    this.waiting = null;
    return round;
  }

  private async settle(round: Round): Promise<void> {
    try {
      round.resolve(await this.append());
    } catch (error) {
      round.reject(error);
    }
  }
}

function newRound(): Round {
  const { promise: acknowledged, resolve, reject } = Promise.withResolvers<Position>();
  return { acknowledged, resolve, reject };
}
