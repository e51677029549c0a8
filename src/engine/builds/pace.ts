import type { Clock } from '../../kernel/clock.js';
import type { EventStore } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import { Lanes } from '../streams/lanes.js';

const FREE = { events: 2_000, rows: 1_000 };
/** A store with one writer makes everybody wait for as long as a save takes. */
const POLITE = { events: 500, rows: 50 };
const POLITE_FOR_MS = 2_000;
const LOOK_MS = 100;

/** How fast a build goes: as fast as it can while nothing else is written, in small steps with pauses while the log grows beside it. */
export class Pace {
  private head: Position | null = null;
  private lookedAt = -Infinity;
  /** Null until there has been time to see whether it grows. */
  private politeUntil: number | null = null;
  private readonly lanes = new Lanes();

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /** Events a page. */
  get events(): number {
    return this.step.events;
  }

  /** Rows a save. */
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

  /** Leaves others as much time as the save took, one save after another; at once while there are no others. */
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
