import type { Clock } from '../../kernel/clock.js';
import type { EventStore } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import { KeyedMutex } from '../keyed-mutex.js';

const FULL_SPEED = { events: 2_000, rows: 1_000 };
/** Limits beside other writers: a store with a single writer makes them wait during a save. */
const THROTTLED = { events: 500, rows: 50 };
const THROTTLE_MS = 2_000;
const POLL_MS = 100;
/** Until two polls have shown whether the log grows, every build is slow. */
const FIRST_POLL_MS = 20;

/**
 * Adapts the speed of a build: full speed while there are no other writes, small steps with pauses while the log grows.
 */
export class Throttle {
  private head: Position | null = null;
  private polledAt = -Infinity;
  /** Null until two polls have shown whether the log grows. */
  private throttledUntil: number | null = null;
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /** Events per page. */
  get events(): number {
    return this.limits.events;
  }

  /** Rows per save. */
  get rows(): number {
    return this.limits.rows;
  }

  async pollHead(): Promise<void> {
    const now = this.clock.monotonic();
    if (now - this.polledAt < (this.throttledUntil === null ? FIRST_POLL_MS : POLL_MS)) return;
    this.polledAt = now;
    const head = await this.store.readHead();
    if (this.head !== null) this.throttledUntil = head === this.head ? (this.throttledUntil ?? now) : now + THROTTLE_MS;
    this.head = head;
  }

  /** Pauses for as long as each save took, one save after another; runs at once at full speed. */
  async save(work: () => Promise<void>): Promise<void> {
    if (this.limits === FULL_SPEED) return work();
    await this.mutex.run('save', async () => {
      const began = this.clock.monotonic();
      await work();
      await this.clock.sleep(this.clock.monotonic() - began);
    });
  }

  private get limits(): typeof FULL_SPEED {
    return this.throttledUntil !== null && this.clock.monotonic() >= this.throttledUntil ? FULL_SPEED : THROTTLED;
  }
}
