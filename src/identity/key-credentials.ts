import { Injectable } from '@nestjs/common';
import { Recent } from '../engine/recent.js';
import { Keys } from '../engine/sealing/keys.js';
import { Streams } from '../engine/streams/streams.js';
import { Clock } from '../kernel/clock.js';
import { Rejection } from '../kernel/rejection.js';
import type { Caller } from './caller.js';
import { apiKey, hasEnded, type KnownKey } from './domain/api-key.js';
import { keySecret } from './domain/claim.js';
import { identityContext } from './identity-context.js';
import { isWellFormedKey } from './key-format.js';
import { KeyUses } from './key-uses.js';

const CACHED_KEYS = 10_000;
/** A key that another process revoked stops working within 5 s. One second remains for a running request. */
const CACHED_MS = 4_000;

/** Authenticates API keys. The service stores only a hash of a key under the pepper. */
@Injectable()
export class KeyCredentials {
  private readonly ids = new Recent<string, string>(CACHED_KEYS);
  private readonly known = new Recent<string, { key: KnownKey; until: number }>(CACHED_KEYS);

  constructor(
    private readonly streams: Streams,
    private readonly keys: Keys,
    private readonly uses: KeyUses,
    private readonly clock: Clock,
  ) {}

  /** @throws Rejection 401 */
  async callerOf(token: string): Promise<Caller> {
    const key = isWellFormedKey(token) ? await this.find(token) : null;
    if (key === null || key.status === 'revoked') throw new Rejection('invalid_credentials', 'The key is not valid.');
    if (hasEnded(key, this.clock.now())) throw new Rejection('token_expired', 'The key has expired.');
    this.uses.note(key.keyId);
    return callerWith(key);
  }

  /** Returns the stored hash of a key. */
  hash(secret: string): string {
    return this.keys.digest('api key', secret).toString('hex');
  }

  /** Removes a changed key from the cache, so that its next use reads the stream again. */
  forget(keyId: string): void {
    this.known.delete(keyId);
  }

  private async find(token: string): Promise<KnownKey | null> {
    const hash = this.hash(token);
    const id = this.ids.get(hash) ?? (await this.streams.state(keySecret, hash)).ownerId ?? (await this.rehashed(token, hash));
    if (id === null) return null;
    this.ids.set(hash, id);
    const known = this.known.get(id);
    return known !== undefined && known.until > this.clock.monotonic() ? known.key : this.read(id);
  }

  /** Finds a key by an earlier pepper, and claims its hash under the current pepper. */
  private async rehashed(token: string, current: string): Promise<string | null> {
    for (const digest of this.keys.digests('api key', token).slice(1)) {
      const { ownerId } = await this.streams.state(keySecret, digest.toString('hex'));
      const key = ownerId === null ? null : await this.read(ownerId);
      if (key === null) continue;
      const context = { ...identityContext(this.clock.now()), business: key.businessId, mode: key.mode };
      await this.streams.execute(keySecret, current, { type: 'Claim', ownerId: key.keyId }, context);
      return key.keyId;
    }
    return null;
  }

  private async read(id: string): Promise<KnownKey | null> {
    const until = this.clock.monotonic() + CACHED_MS;
    const key = await this.streams.state(apiKey, id);
    if (key.status === 'unknown') return null;
    this.known.set(id, { key, until });
    return key;
  }
}

function callerWith({ keyId, access, businessId, mode, userId }: KnownKey): Caller {
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
