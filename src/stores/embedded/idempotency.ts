import type { Clock } from '../../kernel/clock.js';
import { Idempotency, type Begun, type Claim, type IdempotencyKey, type KeptClaim, type StoredAnswer } from '../../kernel/idempotency.js';
import { newUuid } from '../../kernel/ids.js';
import type { CommitQueue } from './commit-queue.js';
import type { Reading } from './reading/reading.js';

export class EmbeddedIdempotency extends Idempotency {
  constructor(
    private readonly queue: CommitQueue,
    private readonly reading: Reading,
    private readonly clock: Clock,
  ) {
    super();
  }

  begin(key: IdempotencyKey, claim: Claim): Promise<Begun> {
    return this.queue.run('begin', key, claim, newUuid(), this.clock.now());
  }

  finish(key: IdempotencyKey, commandId: string, answer: StoredAnswer): Promise<StoredAnswer> {
    return this.queue.run('finish', key, commandId, answer);
  }

  forget(key: IdempotencyKey, commandId: string, run: number): Promise<void> {
    return this.queue.run('forget', key, commandId, run);
  }

  abandon(key: IdempotencyKey, commandId: string, run: number): Promise<void> {
    return this.queue.run('abandon', key, commandId, run);
  }

  claims(after: IdempotencyKey | null, limit: number): Promise<KeptClaim[]> {
    return this.reading.lists.run('claims', after, limit, this.clock.now());
  }

  restore(claims: readonly KeptClaim[]): Promise<void> {
    return this.queue.run('restoreClaims', claims);
  }
}
