import { reportAndIgnore, reportAndReturn } from '../../kernel/background-errors.js';
import type { Clock } from '../../kernel/clock.js';
import type { LeaseRunner } from '../lease-runner.js';
import { NumberedLease } from '../numbered-lease.js';

const POLL_MS = 2_000;
/** Interval until this process has a slot. */
const FIRST_POLL_MS = 20;
const NONE = 0;
const WORK = { kind: 'lease', name: 'reactor slots' } as const;

/**
 * Shares the parts of reactors among processes. Each process leases a slot and runs the part with the number of its
 * slot. It also runs other parts while no process has their slots.
 */
export class PartSlots {
  private own = NONE;
  private hasPolled = false;
  /** Slots that other processes hold. */
  private readonly foreign = new Set<number>();
  private readonly slots: NumberedLease;
  private change = Promise.withResolvers<void>();

  constructor(
    private readonly size: number,
    leaseRunner: LeaseRunner,
    private readonly clock: Clock,
  ) {
    this.slots = new NumberedLease('reactors slot', leaseRunner);
  }

  async run(signal: AbortSignal): Promise<void> {
    const holding = this.hold(signal);
    while (!signal.aborted) {
      await this.pollForeignSlots(signal).catch(reportAndIgnore(WORK));
      this.notifyChange();
      await this.clock.sleep(this.hasPolled ? POLL_MS : FIRST_POLL_MS, signal);
    }
    this.notifyChange();
    await holding;
  }

  /**
   * Runs `work` whenever no other process has the slot. The signal passed to `work` aborts when another process takes
   * the slot.
   */
  async whileFree(slot: number, signal: AbortSignal, work: (permitted: AbortSignal) => Promise<void>): Promise<void> {
    const isFree = () => this.hasPolled && !this.foreign.has(slot) && !signal.aborted;
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
    for (let slot = 1; !signal.aborted; slot = (slot % this.size) + 1) {
      const wasFree = await this.slots
        .hold(slot, signal, (ended) => this.occupy(slot, ended))
        .catch(reportAndReturn(WORK, false));
      if (wasFree || slot < this.size) continue;
      for (let other = 1; other <= this.size; other++) this.foreign.add(other);
      this.hasPolled = true;
      await this.clock.sleep(POLL_MS, signal);
    }
  }

  private async occupy(slot: number, ended: Promise<unknown>): Promise<void> {
    this.own = slot;
    this.foreign.delete(slot);
    await ended;
    this.own = NONE;
  }

  /** Tries to lease the other slots, and releases each acquired one at once. */
  private async pollForeignSlots(signal: AbortSignal): Promise<void> {
    if (this.own === NONE) return;
    for (let slot = 1; slot <= this.size && !signal.aborted; slot++) {
      if (slot === this.own) continue;
      if (await this.slots.isFree(slot)) this.foreign.delete(slot);
      else this.foreign.add(slot);
    }
    this.hasPolled = true;
  }

  private notifyChange(): void {
    this.change.resolve();
    this.change = Promise.withResolvers<void>();
  }
}
