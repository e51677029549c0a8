import type { Clock } from '../../kernel/clock.js';
import type { Leases } from '../leases.js';

const LOOK_MS = 2_000;
/** Until this process has a seat. */
const FIRST_LOOK_MS = 20;
const NONE = -1;

/**
 * Shares the parts of reactors among processes. Each process leases a seat, and the part with the number of its seat is its own. It runs
 * other parts too, for as long as no process has their seats.
 */
export class Seats {
  private own = NONE;
  private hasLooked = false;
  /** Seats that other processes have. */
  private readonly foreign = new Set<number>();
  private change = Promise.withResolvers<void>();

  constructor(
    private readonly size: number,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  /** Until the signal aborts. */
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

  /** Runs `work` whenever no other process has the seat. The signal given to `work` aborts when one takes it. */
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

  /** The first seat that is free; without one, all of them belong to others. */
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

  /** Tries the seats of others, and leaves at once those that it gets. */
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
