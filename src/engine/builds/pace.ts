import type { Clock } from '../../kernel/clock.js';
import type { EventStore } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import { Lanes } from '../streams/lanes.js';

const FREE = { events: 2_000, rows: 1_000 };
/** Limits beside other writers: a store with a single writer makes them wait during a save. */
const POLITE = { events: 500, rows: 50 };
const POLITE_FOR_MS = 2_000;
const LOOK_MS = 100;

/**
 * Adapts the speed of a build: full speed while there are no other writes, small steps with pauses while the log grows.
 */
export class Pace {
  private head: Position | null = null;
  private lookedAt = -Infinity;
  /** Null until two polls have shown whether the log grows. */
  private politeUntil: number | null = null;
  private readonly lanes = new Lanes();

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /** Events per page. */
  get events(): number {
    return this.step.events;
  }

  /** Rows per save. */
  get rows(): number {
    return this.step.rows;
  }

  async look(): Promise<void> {
    const now = this.clock.monotonic();
    if (now - this.lookedAt < LOOK_MS) return;
    this.lookedAt = now;
    const head = await this.store.head();
    if (this.head !== null) this.politeUntil = head === this.head ? (this.politeUntil ?? now) : now + POLITE_FOR_MS;
    this.head = head;
  }

  /** Pauses for as long as each save took, one save after another; runs at once at full speed. */
  async save(work: () => Promise<void>): Promise<void> {
    if (this.step === FREE) return work();
    await this.lanes.run('save', async () => {
      const began = this.clock.monotonic();
      await work();
      await this.clock.sleep(this.clock.monotonic() - began);
    });
  }

  private get step(): typeof FREE {
    return this.politeUntil !== null && this.clock.monotonic() >= this.politeUntil ? FREE : POLITE;
  }
}
