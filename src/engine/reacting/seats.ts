import type { Clock } from '../../kernel/clock.js';
import type { Leases } from '../leases.js';

const LOOK_MS = 2_000;
/** Interval until this process has a slot. */
const FIRST_LOOK_MS = 20;
const NONE = -1;

/**
 * Shares the parts of reactors among processes. Each process leases a slot and runs the part with the number of its
 * slot. It also runs other parts while no process has their slots.
 */
export class Seats {
  private own = NONE;
  private hasLooked = false;
  /** Slots that other processes hold. */
  private readonly foreign = new Set<number>();
  private change = Promise.withResolvers<void>();

  constructor(
    private readonly size: number,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const holding = this.hold(signal);
    while (!signal.aborted) {
      await this.look(signal).catch(() => undefined);
      this.tell();
      await this.clock.sleep(this.hasLooked ? LOOK_MS : FIRST_LOOK_MS, signal);
    }
    this.tell();
    await holding;
  }

  /**
   * Runs `work` whenever no other process has the slot. The signal passed to `work` aborts when another process takes
   * the slot.
   */
  async whileFree(seat: number, signal: AbortSignal, work: (permitted: AbortSignal) => Promise<void>): Promise<void> {
    const isFree = () => this.hasLooked && !this.foreign.has(seat) && !signal.aborted;
    while (!signal.aborted) {
      if (!isFree()) {
        await this.change.promise;
        continue;
      }
      const permitted = new AbortController();
      const watch = async () => {
        while (isFree() && !permitted.signal.aborted) await this.change.promise;
        permitted.abort();
      };
      void watch();
      await work(permitted.signal);
      permitted.abort();
    }
  }

  /** Leases the first free slot. Without a free slot, all of them belong to other processes. */
  private async hold(signal: AbortSignal): Promise<void> {
    for (let seat = 0; !signal.aborted; seat = (seat + 1) % this.size) {
      const wasFree = await this.leases.tryOnce(nameOf(seat), signal, (held) => this.sit(seat, held)).catch(() => false);
      if (wasFree || seat < this.size - 1) continue;
      for (let other = 0; other < this.size; other++) this.foreign.add(other);
      this.hasLooked = true;
      await this.clock.sleep(LOOK_MS, signal);
    }
  }

  private async sit(seat: number, held: AbortSignal): Promise<void> {
    this.own = seat;
    this.foreign.delete(seat);
    await new Promise<void>((resolve) => {
      if (held.aborted) resolve();
      else held.addEventListener('abort', () => resolve(), { once: true });
    });
    this.own = NONE;
  }

  /** Tries to lease the other slots, and releases each acquired one at once. */
  private async look(signal: AbortSignal): Promise<void> {
    if (this.own === NONE) return;
    for (let seat = 0; seat < this.size && !signal.aborted; seat++) {
      if (seat === this.own) continue;
      const isFree = await this.leases.tryOnce(nameOf(seat), signal, () => Promise.resolve());
      if (isFree) this.foreign.delete(seat);
      else this.foreign.add(seat);
    }
    this.hasLooked = true;
  }

  private tell(): void {
    this.change.resolve();
    this.change = Promise.withResolvers<void>();
  }
}

function nameOf(seat: number): string {
  return `reactors seat:${seat + 1}`;
}
