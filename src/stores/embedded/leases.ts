import type { Clock } from '../../kernel/clock.js';
import { Leases } from '../../kernel/leases.js';
import type { CommitQueue } from './commit-queue.js';

export class EmbeddedLeases extends Leases {
  constructor(
    private readonly queue: CommitQueue,
    private readonly clock: Clock,
  ) {
    super();
  }

  acquireLease(name: string, holder: string, ttlMs: number): Promise<number | null> {
    return this.queue.run('acquireLease', name, holder, ttlMs, this.clock.now());
  }

  releaseLease(name: string, holder: string): Promise<void> {
    return this.queue.run('releaseLease', name, holder);
  }
}
