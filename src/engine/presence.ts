import { Injectable } from '@nestjs/common';
import { Clock, Random } from '../kernel/clock.js';
import { Holder } from '../kernel/holder.js';
import { ReadModels } from '../kernel/read-models.js';
import { Leases } from './leases.js';
import { Patience } from './patience.js';

/** The highest slot that any process ever had; stored as a checkpoint, because it only moves forward. */
export const PROCESS_PLACES = 'process places';
const DIGITS = 6;

/**
 * Registers the processes that serve a store: each process leases the first free slot. A process that only answers
 * requests holds no other lease, and it writes to the store too.
 */
@Injectable()
export class Presence {
  private readonly leases: Leases;
  private readonly patience: Patience;
  private readonly ending = new AbortController();
  private ended: Promise<void> = Promise.resolve();

  constructor(
    private readonly readModels: ReadModels,
    clock: Clock,
    random: Random,
    holder: Holder,
  ) {
    this.leases = new Leases(readModels, clock, random, holder.name);
    this.patience = new Patience(clock, random);
  }

  /** Resolves when other processes can see this process; the registration lasts until `unregister`. */
  begin(): Promise<void> {
    const { promise: known, resolve } = Promise.withResolvers<void>();
    this.ended = this.keep(resolve).catch(() => undefined);
    return known;
  }

  /** Removes this process from the registry. To be called after its last write. */
  async end(): Promise<void> {
    this.ending.abort();
    await this.ended;
  }

  /** Returns the lease name of a slot that a process holds, or null when no slot is held. */
  async taken(): Promise<string | null> {
    const highest = Number(await this.readModels.checkpoint(PROCESS_PLACES));
    for (let place = 1; place <= highest; place++) {
      const isFree = await this.leases.tryOnce(nameOf(place), this.ending.signal, () => Promise.resolve());
      if (!isFree) return nameOf(place);
    }
    return null;
  }

  /** Acquires a slot again after an outage of the store has cost the process its slot. */
  private async keep(known: () => void): Promise<void> {
    const { signal } = this.ending;
    for (let place = 1; !signal.aborted;) {
      const wasFree = await this.patience.persist(() => this.hold(place, known), signal);
      place = wasFree ? 1 : place + 1;
    }
  }

  private hold(place: number, known: () => void): Promise<boolean> {
    return this.leases.tryOnce(nameOf(place), this.ending.signal, async (held) => {
      await this.readModels.advance({ [PROCESS_PLACES]: String(place).padStart(DIGITS, '0') });
      known();
      await over(held);
    });
  }
}

function nameOf(place: number): string {
  return `process:${place}`;
}

function over(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
