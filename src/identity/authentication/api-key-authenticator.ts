import { Injectable } from '@nestjs/common';
import { Keys } from '../../engine/encryption/keys.js';
import { LruCache } from '../../engine/lru-cache.js';
import { RecentDigests } from '../../engine/recent-digests.js';
import { Streams } from '../../engine/streams/streams.js';
import type { Caller } from '../../kernel/caller.js';
import { Clock } from '../../kernel/clock.js';
import { Rejection } from '../../kernel/rejection.js';
import { ApiKeyUsage } from '../api-key-usage.js';
import { apiKeyDecider, hasEnded, type KnownKey } from '../domain/api-key.js';
import { keySecretClaims } from '../domain/claim.js';
import { createSystemContext } from '../system-context.js';
import { isWellFormedKey } from './api-key-format.js';

const MAX_CACHED_KEYS = 10_000;
/** A key that another process revoked stops working within 5 s. One second remains for a running request. */
const CACHE_TTL_MS = 4_000;

/** Authenticates API keys. The service stores only a hash of a key under the pepper. */
@Injectable()
export class ApiKeyAuthenticator {
  private readonly digests = new RecentDigests();
  /** Ids of keys by a digest of the token, which costs a tenth of its format check and its stored hash. */
  private readonly cachedIds = new LruCache<string, string>(MAX_CACHED_KEYS);
  private readonly cachedKeys = new LruCache<string, { key: KnownKey; until: number }>(MAX_CACHED_KEYS);

  constructor(
    private readonly streams: Streams,
    private readonly keys: Keys,
    private readonly usage: ApiKeyUsage,
    private readonly clock: Clock,
  ) {}

  /** @throws Rejection 401 */
  async authenticate(token: string): Promise<Caller> {
    const key = await this.find(token);
    if (key === null || key.status === 'revoked') throw new Rejection('invalid_credentials', 'The key is not valid.');
    if (hasEnded(key, this.clock.now())) throw new Rejection('token_expired', 'The key has expired.');
    this.usage.record(key.keyId);
    return toCaller(key);
  }

  hash(secret: string): string {
    return this.keys.digest('api key', secret).toString('hex');
  }

  /** Removes a changed key from the cache, so that its next use reads the stream again. */
  invalidate(keyId: string): void {
    this.cachedKeys.delete(keyId);
  }

  private async find(token: string): Promise<KnownKey | null> {
    const digest = this.digests.digest(token);
    const id = this.cachedIds.get(digest) ?? (await this.findId(token));
    if (id === null) return null;
    this.cachedIds.set(digest, id);
    const known = this.cachedKeys.get(id);
    return known !== undefined && known.until > this.clock.monotonic() ? known.key : this.read(id);
  }

  private async findId(token: string): Promise<string | null> {
    if (!isWellFormedKey(token)) return null;
    const current = this.hash(token);
    const { ownerId } = await this.streams.loadState(keySecretClaims, current);
    return ownerId ?? this.findByEarlierPepper(token, current);
  }

  /** Finds a key by an earlier pepper, and claims its hash under the current pepper. */
  private async findByEarlierPepper(token: string, current: string): Promise<string | null> {
    for (const digest of this.keys.digestWithAll('api key', token).slice(1)) {
      const { ownerId } = await this.streams.loadState(keySecretClaims, digest.toString('hex'));
      const key = ownerId === null ? null : await this.read(ownerId);
      if (key === null) continue;
      const context = { ...createSystemContext(this.clock.now()), business: key.businessId, mode: key.mode };
      await this.streams.execute(keySecretClaims, current, { type: 'Claim', ownerId: key.keyId }, context);
      return key.keyId;
    }
    return null;
  }

  private async read(id: string): Promise<KnownKey | null> {
    const until = this.clock.monotonic() + CACHE_TTL_MS;
    const key = await this.streams.loadState(apiKeyDecider, id);
    if (key.status === 'unknown') return null;
    this.cachedKeys.set(id, { key, until });
    return key;
  }
}

function toCaller({ keyId, access, businessId, mode, userId }: KnownKey): Caller {
  return {
    kind: access === 'full' ? 'secret_key' : 'read_only_key',
    actor: { type: 'api_key', id: keyId },
    business: businessId,
    mode,
    user: { id: userId, email: null },
    reviewer: false,
    cart: null,
  };
}
