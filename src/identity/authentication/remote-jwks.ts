import { errors, type JWK, type JWTVerifyGetKey } from 'jose';
import { request } from 'undici';
import { reportFailure, reportRecovery } from '../../kernel/background-errors.js';
import type { Clock } from '../../kernel/clock.js';
import { createKeyFinder, createKeysUnavailable, parseJwks } from './jwks.js';

const WORK = { kind: 'loop', name: 'session keys' } as const;
const REFRESH_INTERVAL_MS = 10 * 60_000;
/** How long the last valid key set is used while the key server is down. */
const MAX_STALENESS_MS = 60 * 60_000;
/** A forged `kid` must not cause a request to the key server each time. */
const COOLDOWN_MS = 30_000;
const TIMEOUT_MS = 5_000;

interface CachedJwks {
  readonly find: JWTVerifyGetKey;
  readonly fetchedAt: number;
}

/** The keys at a URL. They are fetched on first use, when they are old, and for an unknown key id. */
export class RemoteJwks {
  private current: CachedJwks | null = null;
  private refreshing: Promise<CachedJwks> | null = null;
  private lastRequestAt = -Infinity;

  constructor(
    private readonly url: string,
    private readonly clock: Clock,
  ) {}

  /** @throws Rejection 503 while no keys are available */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const set = await this.loadUsable();
    try {
      return await set.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.elapsedSince(this.lastRequestAt) < COOLDOWN_MS)
        throw error;
      return (await this.refreshOnce()).find(header, token);
    }
  };

  private async loadUsable(): Promise<CachedJwks> {
    const { current } = this;
    if (current === null || !this.isUsable(current)) return this.refreshOnce();
    const fresh =
      this.elapsedSince(current.fetchedAt) < REFRESH_INTERVAL_MS || this.elapsedSince(this.lastRequestAt) < COOLDOWN_MS;
    return fresh ? current : this.refreshOnce();
  }

  /** Fetches the keys. Concurrent callers share one request. */
  private refreshOnce(): Promise<CachedJwks> {
    this.refreshing ??= this.refresh().finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  private async refresh(): Promise<CachedJwks> {
    this.lastRequestAt = this.clock.monotonic();
    try {
      this.current = { find: await createKeyFinder(await fetchKeys(this.url)), fetchedAt: this.clock.monotonic() };
      reportRecovery(WORK);
    } catch (error) {
      reportFailure(WORK, error);
      if (this.current === null || !this.isUsable(this.current)) throw createKeysUnavailable();
    }
    return this.current;
  }

  private isUsable({ fetchedAt }: CachedJwks): boolean {
    return this.elapsedSince(fetchedAt) <= MAX_STALENESS_MS;
  }

  private elapsedSince(then: number): number {
    return this.clock.monotonic() - then;
  }
}

async function fetchKeys(url: string): Promise<readonly JWK[]> {
  const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`the key server answered ${statusCode}`);
  return parseJwks(text);
}
