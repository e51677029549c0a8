import { Recent } from '../engine/recent.js';
import type { Clock } from '../kernel/clock.js';

/** Whose bucket is forgotten begins anew with a full one. */
const REMEMBERED = 10_000;
const SECOND_MS = 1_000;

export interface Rate {
  readonly perSecond: number;
  /** What a full bucket holds: so many at once, after a silence. */
  readonly burst: number;
}

/** What taking a token led to. */
export interface Taken {
  readonly granted: boolean;
  readonly left: number;
  /** Until there is a token to take, and until the bucket is full. */
  readonly nextInSeconds: number;
  readonly fullInSeconds: number;
}

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/** A bucket for each name, filled at a steady rate up to its brim; a request takes a token out. */
export class TokenBuckets {
  private readonly buckets = new Recent<string, Bucket>(REMEMBERED);

  constructor(
    private readonly rate: Rate,
    private readonly clock: Clock,
  ) {}

  take(name: string): Taken {
    const at = this.clock.monotonic();
    const tokens = this.tokensOf(name, at);
    const granted = tokens >= 1;
    const left = granted ? tokens - 1 : tokens;
    if (granted) this.buckets.set(name, { tokens: left, at });
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
