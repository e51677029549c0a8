import { Injectable } from '@nestjs/common';
import { LruCache } from '../../engine/lru-cache.js';
import { RecentDigests } from '../../engine/recent-digests.js';
import { Clock } from '../../kernel/clock.js';

const MAX_CREDENTIALS = 10_000;
const RETENTION_MS = 300_000;

/**
 * Credentials that were valid a short time ago, by digest. Such a credential is verified again, but its request is not
 * counted against the address first.
 */
@Injectable()
export class KnownCredentials {
  private readonly digests = new RecentDigests();
  private readonly expiries = new LruCache<string, number>(MAX_CREDENTIALS);

  constructor(private readonly clock: Clock) {}

  has(authorization: string): boolean {
    return (this.expiries.get(this.digests.digest(authorization)) ?? -Infinity) > this.clock.monotonic();
  }

  add(authorization: string): void {
    this.expiries.set(this.digests.digest(authorization), this.clock.monotonic() + RETENTION_MS);
  }

  delete(authorization: string): void {
    this.expiries.delete(this.digests.digest(authorization));
  }
}
