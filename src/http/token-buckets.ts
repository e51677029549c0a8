import { Recent } from '../engine/recent.js';
import type { Clock } from '../kernel/clock.js';

/** A key whose bucket was evicted starts again with a full bucket. */
const REMEMBERED = 10_000;
const SECOND_MS = 1_000;

export interface Rate {
  readonly perSecond: number;
  /** The capacity of a bucket. */
  readonly burst: number;
}

export interface Taken {
  readonly granted: boolean;
  readonly left: number;
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
  private readonly buckets = new Recent<string, Bucket>(REMEMBERED);

  constructor(
    private readonly rate: Rate,
    private readonly clock: Clock,
  ) {}

  take(name: string): Taken {
    const at = this.clock.monotonic();
    const tokens = this.tokensOf(name, at);
    if (tokens < 1) return this.taken(false, tokens);
    this.buckets.set(name, { tokens: tokens - 1, at });
    return this.taken(true, tokens - 1);
  }

  /** Returns what `take` would return, and takes no token. */
  look(name: string): Taken {
    const tokens = this.tokensOf(name, this.clock.monotonic());
    return this.taken(tokens >= 1, tokens);
  }

  /** Returns one token to the bucket. */
  giveBack(name: string): void {
    const at = this.clock.monotonic();
    this.buckets.set(name, { tokens: Math.min(this.rate.burst, this.tokensOf(name, at) + 1), at });
  }

  private taken(granted: boolean, left: number): Taken {
    return {
      granted,
      left: Math.floor(left),
      nextInSeconds: this.secondsFor(1 - left),
      fullInSeconds: this.secondsFor(this.rate.burst - left),
    };
  }

  private tokensOf(name: string, now: number): number {
    const bucket = this.buckets.get(name);
    if (bucket === undefined) return this.rate.burst;
    return Math.min(this.rate.burst, bucket.tokens + ((now - bucket.at) / SECOND_MS) * this.rate.perSecond);
  }

  private secondsFor(tokens: number): number {
    return Math.max(0, Math.ceil(tokens / this.rate.perSecond));
  }
}
