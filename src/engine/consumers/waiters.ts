import { Injectable } from '@nestjs/common';
import { Checkpoints } from '../../kernel/checkpoints.js';
import { Clock } from '../../kernel/clock.js';
import { type Position, START } from '../../kernel/position.js';

const POLL_MS = 10;
/** A checkpoint that does not move during a wait of this length is stalled. */
const STALLED_MS = 1_000;
/** A string reason avoids creating an Error with a stack for each abort. */
const REACHED = 'reached';

interface Waiter {
  readonly position: Position;
  readonly wake: () => void;
}

interface RegisteredConsumer {
  /** Returns whether the consumer fails or has a large lag. */
  readonly isLate: () => boolean;
  readonly onWait?: () => void;
}

/** Lets a read wait until a checkpoint has reached a position, and refuses a wait that cannot succeed in time. */
@Injectable()
export class Waiters {
  private readonly applied = new Map<string, Position>();
  private readonly waiting = new Map<string, Set<Waiter>>();
  private readonly consumers = new Map<string, RegisteredConsumer>();
  /** Stalled checkpoints of other processes, with their positions. */
  private readonly stalledAt = new Map<string, Position>();
  /** Checkpoints of other processes, with their last read positions. */
  private readonly lastRead = new Map<string, Position>();
  private readonly polls = new Map<string, Promise<Position>>();

  constructor(
    private readonly checkpoints: Checkpoints,
    private readonly clock: Clock,
  ) {}

  register(name: string, consumer: RegisteredConsumer): void {
    this.consumers.set(name, consumer);
  }

  /** Returns whether a read waits for this consumer. */
  isAwaited(name: string): boolean {
    return (this.waiting.get(name)?.size ?? 0) > 0;
  }

  /**
   * Records that events up to this position are applied and can be read. From the first call on, waiting reads use this
   * process's position.
   */
  advance(name: string, position: Position): void {
    this.applied.set(name, position);
    for (const waiting of this.waiting.get(name) ?? []) if (waiting.position <= position) waiting.wake();
  }

  /** Unregisters a consumer that this process no longer runs: waiting reads poll the store from now on. */
  unregister(name: string): void {
    this.applied.delete(name);
    this.consumers.delete(name);
  }

  /** Returns true once the position is reached; false when that takes longer than `ms` or is known to take longer. */
  async waitUntil(name: string, position: Position, ms: number): Promise<boolean> {
    if (this.hasReached(name, position)) return true;
    if (this.consumers.get(name)?.isLate()) return false;
    return this.applied.has(name) ? this.waitLocally(name, position, ms) : this.waitByPolling(name, position, ms);
  }

  /** Returns whether this process knows that the position is reached, without a read of the store. */
  hasReached(name: string, position: Position): boolean {
    if (position === START) return true;
    const reached = this.applied.get(name) ?? this.lastRead.get(name);
    return reached !== undefined && reached >= position;
  }

  private async waitLocally(name: string, position: Position, ms: number): Promise<boolean> {
    const controller = new AbortController();
    const waiting = { position, wake: () => controller.abort(REACHED) };
    const others = this.waiting.get(name) ?? new Set();
    this.waiting.set(name, others.add(waiting));
    this.consumers.get(name)?.onWait?.();
    await this.clock.sleep(ms, controller.signal);
    others.delete(waiting);
    return this.hasReached(name, position);
  }

  private async waitByPolling(name: string, position: Position, ms: number): Promise<boolean> {
    const end = this.clock.monotonic() + ms;
    const first = await this.poll(name, 0);
    let reached = first;
    for (
      let left = ms;
      reached < position && left > 0 && this.stalledAt.get(name) !== reached;
      left = end - this.clock.monotonic()
    ) {
      reached = await this.poll(name, Math.min(POLL_MS, left));
    }
    if (reached !== first) this.stalledAt.delete(name);
    else if (reached < position && ms >= STALLED_MS) this.stalledAt.set(name, first);
    return reached >= position;
  }

  /** Reads the checkpoint once for all callers that wait for the same name at that time. */
  private poll(name: string, inMs: number): Promise<Position> {
    const shared = this.polls.get(name) ?? this.readCheckpointAfter(name, inMs).finally(() => this.polls.delete(name));
    this.polls.set(name, shared);
    return shared;
  }

  private async readCheckpointAfter(name: string, ms: number): Promise<Position> {
    if (ms > 0) await this.clock.sleep(ms);
    const position = await this.checkpoints.readCheckpoint(name);
    this.lastRead.set(name, position);
    return position;
  }
}
