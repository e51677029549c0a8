import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { START, type Position } from '../../kernel/position.js';
import { ReadModels } from '../../kernel/read-models.js';

const POLL_MS = 10;
/** A checkpoint that does not move during a wait of this length is stalled. */
const STANDS_STILL_MS = 1_000;

interface Waiting {
  readonly position: Position;
  readonly wake: () => void;
}

/** Lets a read wait until a checkpoint has reached a position, and refuses a wait that cannot succeed in time. */
@Injectable()
export class Waiters {
  private readonly applied = new Map<string, Position>();
  private readonly waiting = new Map<string, Set<Waiting>>();
  private readonly late = new Map<string, () => boolean>();
  /** Stalled checkpoints of other processes, with their positions. */
  private readonly stuck = new Map<string, Position>();
  /** Checkpoints of other processes, with their last read positions. */
  private readonly seen = new Map<string, Position>();
  private readonly looks = new Map<string, Promise<Position>>();

  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
  ) {}

  /**
   * Registers a consumer that this process runs.
   * @param isLate whether the consumer fails or is far behind
   */
  runs(name: string, isLate: () => boolean): void {
    this.late.set(name, isLate);
  }

  /**
   * Records that events up to this position are applied and can be read. From the first call on, waiting reads use this
   * process's position.
   */
  reached(name: string, position: Position): void {
    this.applied.set(name, position);
    for (const waiting of this.waiting.get(name) ?? []) if (waiting.position <= position) waiting.wake();
  }

  /** Unregisters a consumer that this process no longer runs: waiting reads poll the store from now on. */
  left(name: string): void {
    this.applied.delete(name);
    this.late.delete(name);
  }

  /** Returns true once the position is reached; false when that takes longer than `ms` or is known to take longer. */
  async until(name: string, position: Position, ms: number): Promise<boolean> {
    if (position === START || this.has(name, position)) return true;
    if (this.late.get(name)?.()) return false;
    return this.applied.has(name) ? this.told(name, position, ms) : this.polled(name, position, ms);
  }

  private has(name: string, position: Position): boolean {
    const reached = this.applied.get(name) ?? this.seen.get(name);
    return reached !== undefined && reached >= position;
  }

  private async told(name: string, position: Position, ms: number): Promise<boolean> {
    const controller = new AbortController();
    const waiting = { position, wake: () => controller.abort() };
    const others = this.waiting.get(name) ?? new Set();
    this.waiting.set(name, others.add(waiting));
    await this.clock.sleep(ms, controller.signal);
    others.delete(waiting);
    return this.has(name, position);
  }

  private async polled(name: string, position: Position, ms: number): Promise<boolean> {
    const end = this.clock.monotonic() + ms;
    const first = await this.look(name, 0);
    let reached = first;
    for (let left = ms; reached < position && left > 0 && this.stuck.get(name) !== reached; left = end - this.clock.monotonic()) {
      reached = await this.look(name, Math.min(POLL_MS, left));
    }
    if (reached !== first) this.stuck.delete(name);
    else if (reached < position && ms >= STANDS_STILL_MS) this.stuck.set(name, first);
    return reached >= position;
  }

  /** Reads the checkpoint once for all callers that wait for the same name at that time. */
  private look(name: string, inMs: number): Promise<Position> {
    const shared = this.looks.get(name) ?? this.checkpointIn(name, inMs).finally(() => this.looks.delete(name));
    this.looks.set(name, shared);
    return shared;
  }

  private async checkpointIn(name: string, ms: number): Promise<Position> {
    if (ms > 0) await this.clock.sleep(ms);
    const position = await this.readModels.checkpoint(name);
    this.seen.set(name, position);
    return position;
  }
}
