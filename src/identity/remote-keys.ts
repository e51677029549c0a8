import { errors, type JWK, type JWTVerifyGetKey } from 'jose';
import { request } from 'undici';
import type { Clock } from '../kernel/clock.js';
import { finderOf, keysIn, keysUnavailable } from './key-set.js';

const FRESH_MS = 10 * 60_000;
/** How long the last valid key set is used while the key server is down. */
const USABLE_MS = 60 * 60_000;
/** A forged `kid` must not cause a request to the key server each time. */
const COOLDOWN_MS = 30_000;
const TIMEOUT_MS = 5_000;

interface KeySet {
  readonly find: JWTVerifyGetKey;
  readonly fetchedAt: number;
}

/** The keys at a URL. They are fetched on first use, when they are old, and for an unknown key id. */
export class RemoteKeys {
  private current: KeySet | null = null;
  private refreshing: Promise<KeySet> | null = null;
  private asked = -Infinity;

  constructor(
    private readonly url: string,
    private readonly clock: Clock,
  ) {}

  /** @throws Rejection 503 while no keys are available */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const set = await this.usable();
    try {
      return await set.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.since(this.asked) < COOLDOWN_MS) throw error;
      return (await this.refreshed()).find(header, token);
    }
  };

  private async usable(): Promise<KeySet> {
    const { current } = this;
    if (current === null || !this.isUsable(current)) return this.refreshed();
    const fresh = this.since(current.fetchedAt) < FRESH_MS || this.since(this.asked) < COOLDOWN_MS;
    return fresh ? current : this.refreshed();
  }

  /** Fetches the keys. Concurrent callers share one request. */
  private refreshed(): Promise<KeySet> {
    this.refreshing ??= this.refresh().finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  private async refresh(): Promise<KeySet> {
    this.asked = this.clock.monotonic();
    try {
      this.current = { find: await finderOf(await fetched(this.url)), fetchedAt: this.clock.monotonic() };
    } catch {
      if (this.current === null || !this.isUsable(this.current)) throw keysUnavailable();
    }
    return this.current;
  }

  private isUsable({ fetchedAt }: KeySet): boolean {
    return this.since(fetchedAt) <= USABLE_MS;
  }

  private since(then: number): number {
    return this.clock.monotonic() - then;
  }
}

async function fetched(url: string): Promise<readonly JWK[]> {
  const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`the key server answered ${statusCode}`);
  return keysIn(text);
}
