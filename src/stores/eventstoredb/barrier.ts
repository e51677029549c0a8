import type { Clock } from '../../kernel/clock.js';
import type { Position } from '../../kernel/position.js';

/**
 * After this time without a response the next append starts in parallel, so that later callers do not wait for the
 * first deadline.
 */
const SLOW_MS = 1_000;

interface Round {
  readonly acknowledged: Promise<Position>;
  resolve(position: Position): void;
  reject(error: unknown): void;
}

/**
 * Confirms positions that the log has acknowledged after a caller asked. Callers that ask while an append runs share
 * the next one, so for any number of callers there is one append at a time.
 */
export class Barrier {
  /** The round of the callers that have asked since the last append began. */
  private waiting: Round | null = null;
  private isRunning = false;

  constructor(
    private readonly append: () => Promise<Position>,
    private readonly clock: Clock,
  ) {}

  confirm(): Promise<Position> {
    const round = (this.waiting ??= createRound());
    if (!this.isRunning) void this.run();
    return round.acknowledged;
  }

  /**
   * Runs another append of this process. Its acknowledgement also confirms the round that was waiting when it began.
   */
  async shareAppend<T>(append: () => Promise<T>, positionOf: (answer: T) => Position | null): Promise<T> {
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
    for (let round = this.takeRound(); round !== null; round = this.takeRound()) {
      const answered = new AbortController();
      const settled = this.settle(round).finally(() => answered.abort('answered'));
      await Promise.race([settled, this.clock.sleep(SLOW_MS, answered.signal)]);
    }
    this.isRunning = false;
  }

  private takeRound(): Round | null {
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

function createRound(): Round {
  const { promise: acknowledged, resolve, reject } = Promise.withResolvers<Position>();
  return { acknowledged, resolve, reject };
}
