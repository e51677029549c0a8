import { LruCache } from '../../engine/lru-cache.js';
import type { Clock } from '../../kernel/clock.js';

/** A key whose bucket was evicted starts again with a full bucket. */
const MAX_BUCKETS = 10_000;
const MS_PER_SECOND = 1_000;

export interface RequestRate {
  readonly perSecond: number;
  /** The capacity of a bucket. */
  readonly burst: number;
}

export interface TakeResult {
  readonly granted: boolean;
  readonly remaining: number;
  /** Seconds until a token is available, and until the bucket is full. */
  readonly nextInSeconds: number;
  readonly fullInSeconds: number;
}

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/** Token buckets, one per key. A bucket is filled at a constant rate up to its capacity; a request takes one token. */
export class TokenBuckets {
  private readonly buckets = new LruCache<string, Bucket>(MAX_BUCKETS);

  constructor(
    private readonly rate: RequestRate,
    private readonly clock: Clock,
  ) {}

  take(key: string): TakeResult {
    const at = this.clock.monotonic();
    const tokens = this.countTokens(key, at);
    if (tokens < 1) return this.toResult(false, tokens);
    this.buckets.set(key, { tokens: tokens - 1, at });
    return this.toResult(true, tokens - 1);
  }

  /** Returns what `take` would return, and takes no token. */
  peek(key: string): TakeResult {
    const tokens = this.countTokens(key, this.clock.monotonic());
    return this.toResult(tokens >= 1, tokens);
  }

  refund(key: string): void {
    const at = this.clock.monotonic();
    this.buckets.set(key, { tokens: Math.min(this.rate.burst, this.countTokens(key, at) + 1), at });
  }

  private toResult(granted: boolean, left: number): TakeResult {
    return {
      granted,
      remaining: Math.floor(left),
      nextInSeconds: this.secondsUntil(1 - left),
      fullInSeconds: this.secondsUntil(this.rate.burst - left),
    };
  }

  private countTokens(key: string, now: number): number {
    const bucket = this.buckets.get(key);
    if (bucket === undefined) return this.rate.burst;
    return Math.min(this.rate.burst, bucket.tokens + ((now - bucket.at) / MS_PER_SECOND) * this.rate.perSecond);
  }

  private secondsUntil(tokens: number): number {
    return Math.max(0, Math.ceil(tokens / this.rate.perSecond));
  }
}
