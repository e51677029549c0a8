import type { Clock } from '../../kernel/clock.js';
import {
  type ClaimRequest,
  type ClaimResult,
  Idempotency,
  type IdempotencyKey,
  type StoredClaim,
  type StoredResponse,
} from '../../kernel/idempotency.js';
import { newUuid } from '../../kernel/ids.js';
import type { CommitQueue } from './commit-queue.js';
import type { ReadThreads } from './read-threads/read-threads.js';

export class EmbeddedIdempotency extends Idempotency {
  constructor(
    private readonly queue: CommitQueue,
    private readonly readThreads: ReadThreads,
    private readonly clock: Clock,
  ) {
    super();
  }

  claim(key: IdempotencyKey, claim: ClaimRequest): Promise<ClaimResult> {
    return this.queue.run('claimKey', key, claim, newUuid(), this.clock.now());
  }

  complete(key: IdempotencyKey, commandId: string, answer: StoredResponse): Promise<StoredResponse> {
    return this.queue.run('completeKey', key, commandId, answer);
  }

  release(key: IdempotencyKey, commandId: string, run: number): Promise<void> {
    return this.queue.run('releaseKey', key, commandId, run);
  }

  suspend(key: IdempotencyKey, commandId: string, run: number): Promise<void> {
    return this.queue.run('suspendKey', key, commandId, run);
  }

  listClaims(after: IdempotencyKey | null, limit: number): Promise<StoredClaim[]> {
    return this.readThreads.bounded.run('listClaims', after, limit, this.clock.now());
  }

  restore(claims: readonly StoredClaim[]): Promise<void> {
    return this.queue.run('restoreClaims', claims);
  }
}
