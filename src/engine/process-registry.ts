import { Injectable } from '@nestjs/common';
import { reportAndIgnore } from '../kernel/background-errors.js';
import { Checkpoints } from '../kernel/checkpoints.js';
import { Clock, Random } from '../kernel/clock.js';
import { Leases } from '../kernel/leases.js';
import { ProcessId } from '../kernel/process-id.js';
import { LeaseRunner } from './lease-runner.js';
import { NumberedLease } from './numbered-lease.js';
import { Retrier } from './retrier.js';

/** The highest number that any process ever had; stored as a checkpoint, because it only moves forward. */
export const PROCESS_NUMBERS = 'process slots';
const DIGITS = 6;
const WORK = { kind: 'lease', name: 'process' } as const;

/**
 * Registers the processes that serve a store: each process leases the first free number. A process that only answers
 * requests holds no other lease, and it writes to the store too.
 */
@Injectable()
export class ProcessRegistry {
  private readonly numbers: NumberedLease;
  private readonly retrier: Retrier;
  private readonly ending = new AbortController();
  private ended: Promise<void> = Promise.resolve();

  constructor(
    private readonly checkpoints: Checkpoints,
    leases: Leases,
    clock: Clock,
    random: Random,
    processId: ProcessId,
  ) {
    this.numbers = new NumberedLease('process', new LeaseRunner(leases, clock, random, processId.value));
    this.retrier = new Retrier(clock, random, WORK);
  }

  /** Resolves when other processes can see this process; the registration lasts until `unregister`. */
  register(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = this.maintain(resolve).catch(reportAndIgnore(WORK));
    return promise;
  }

  /** Removes this process from the registry. To be called after its last write. */
  async unregister(): Promise<void> {
    this.ending.abort();
    await this.ended;
  }

  /** Returns the lease name of a number that a process holds, or null when no number is held. */
  async findActive(): Promise<string | null> {
    const highest = Number(await this.checkpoints.readCheckpoint(PROCESS_NUMBERS));
    for (let number = 1; number <= highest; number++) {
      if (!(await this.numbers.isFree(number))) return this.numbers.nameOf(number);
    }
    return null;
  }

  /** Acquires a number again after an outage of the store has cost the process its number. */
  private async maintain(onRegistered: () => void): Promise<void> {
    const { signal } = this.ending;
    for (let number = 1; !signal.aborted;) {
      const wasFree = await this.retrier.run(() => this.holdNumber(number, onRegistered), signal);
      number = wasFree ? 1 : number + 1;
    }
  }

  private holdNumber(number: number, onRegistered: () => void): Promise<boolean> {
    return this.numbers.hold(number, this.ending.signal, async (ended) => {
      await this.checkpoints.advanceCheckpoints({ [PROCESS_NUMBERS]: String(number).padStart(DIGITS, '0') });
      onRegistered();
      await ended;
    });
  }
}
