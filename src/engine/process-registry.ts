import { Injectable } from '@nestjs/common';
import { reportAndIgnore } from '../kernel/background-errors.js';
import { Checkpoints } from '../kernel/checkpoints.js';
import { Clock, Random } from '../kernel/clock.js';
import { Leases } from '../kernel/leases.js';
import { ProcessId } from '../kernel/process-id.js';
import { ProcessNumbers } from './process-numbers.js';

const WORK = { kind: 'lease', name: 'process' } as const;

/**
 * Registers the processes that serve a store. A process that only answers requests holds no other lease, and it writes
 * to the store too.
 */
@Injectable()
export class ProcessRegistry {
  private readonly numbers: ProcessNumbers;
  private readonly ending = new AbortController();
  private ended: Promise<void> = Promise.resolve();

  constructor(checkpoints: Checkpoints, leases: Leases, clock: Clock, random: Random, processId: ProcessId) {
    this.numbers = new ProcessNumbers('process', { checkpoints, leases, clock, random, processId }, WORK);
  }

  /** Resolves when other processes can see this process; the registration lasts until `unregister`. */
  register(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stay = async (ended: Promise<unknown>) => {
      resolve();
      await ended;
    };
    this.ended = this.numbers.hold(this.ending.signal, stay).catch(reportAndIgnore(WORK));
    return promise;
  }

  /** Removes this process from the registry. To be called after its last write. */
  async unregister(): Promise<void> {
    this.ending.abort();
    await this.ended;
  }

  /** Returns the lease name of another process, or null without one. */
  async findActive(): Promise<string | null> {
    const [first] = await this.numbers.listOthers();
    return first ?? null;
  }
}
