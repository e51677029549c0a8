import { once } from 'node:events';
import type { AcquiredLease, LeaseRunner } from './lease-runner.js';

/** A lease of which several processes hold one each, by numbers from 1 on. */
export class NumberedLease {
  constructor(
    private readonly name: string,
    private readonly leaseRunner: LeaseRunner,
  ) {}

  nameOf(number: number): string {
    return `${this.name}:${number}`;
  }

  /** Returns whether no other process holds the number. */
  async isFree(number: number): Promise<boolean> {
    return (await this.leaseRunner.probe(this.nameOf(number))) !== null;
  }

  /** Acquires the first free number, without renewals. */
  async acquireFirst(): Promise<AcquiredLease> {
    for (let number = 1; ; number++) {
      const lease = await this.leaseRunner.acquire(this.nameOf(number));
      if (lease !== null) return lease;
    }
  }

  /**
   * Runs `work` while the number is held. Returns false when another process holds it.
   * @param work gets a promise that resolves when the signal aborts or the lease is lost
   */
  hold(number: number, signal: AbortSignal, work: (ended: Promise<unknown>) => Promise<void>): Promise<boolean> {
    return this.leaseRunner.tryOnce(this.nameOf(number), signal, (held) =>
      work(held.aborted ? Promise.resolve() : once(held, 'abort')),
    );
  }
}
