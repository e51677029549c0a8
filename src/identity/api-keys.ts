import { Injectable } from '@nestjs/common';
import { Keys } from '../engine/keys.js';
import { Recent } from '../engine/recent.js';
import { Streams } from '../engine/streams.js';
import { Clock } from '../kernel/clock.js';
import { step, type Context } from '../kernel/context.js';
import type { Mode } from '../kernel/event.js';
import { idOf } from '../kernel/ids.js';
import { render } from '../kernel/projection.js';
import { Rejection } from '../kernel/rejection.js';
import type { Caller } from './caller.js';
import { apiKey, type ApiKey, type KeyAccess } from './domain/api-key.js';
import { keySecret } from './domain/claim.js';
import { isWellFormedKey, newKey, prefixOf } from './key-format.js';
import { apiKeys, type ApiKeyDocument } from './projections/api-keys.js';

const CACHED_KEYS = 10_000;
/** How long a key may still work after it was revoked. */
const CACHED_MS = 5_000;

export interface NewApiKey {
  readonly businessId: string;
  readonly userId: string;
  readonly name: string;
  readonly mode: Mode;
  readonly access: KeyAccess;
  readonly expiresAt: string | null;
}

type ActiveKey = Extract<ApiKey, { status: 'active' }>;

/** API keys: their plaintext is known to whoever made them; here there is a hash under the pepper. */
@Injectable()
export class ApiKeys {
  private readonly known = new Recent<string, { key: ActiveKey; until: number }>(CACHED_KEYS);

  constructor(
    private readonly streams: Streams,
    private readonly keys: Keys,
    private readonly clock: Clock,
  ) {}

  async create(wanted: NewApiKey, context: Context): Promise<{ readonly key: ApiKeyDocument; readonly secret: string }> {
    const secret = newKey(wanted.access, wanted.mode);
    const keyId = idOf('key', context.at, context.commandId);
    const facts = { ...wanted, keyId, prefix: prefixOf(wanted.access, wanted.mode), last4: secret.slice(-4) };
    const { history } = await this.streams.execute(apiKey, keyId, { type: 'CreateApiKey', ...facts }, context);
    await this.streams.execute(keySecret, this.hash(secret), { type: 'Claim', ownerId: keyId }, step(context, 'secret'));
    return { key: render(apiKeys, keyId, history), secret };
  }

  /** @throws Rejection 401 */
  async callerOf(token: string): Promise<Caller> {
    const key = isWellFormedKey(token) ? await this.find(this.hash(token)) : null;
    if (key === null) throw new Rejection('invalid_credentials', 'The key is not valid.');
    if (key.expiresAt !== null && Date.parse(key.expiresAt) <= this.clock.now())
      throw new Rejection('token_expired', 'The key has expired.');
    return {
      kind: key.access === 'full' ? 'secret_key' : 'read_only_key',
      actor: { type: 'api_key', id: key.keyId },
      business: key.businessId,
      mode: key.mode,
      user: { id: key.userId, email: null },
      reviewer: false,
      cart: null,
    };
  }

  private async find(hash: string): Promise<ActiveKey | null> {
    const known = this.known.get(hash);
    if (known !== undefined && known.until > this.clock.monotonic()) return known.key;
    const { ownerId } = await this.streams.state(keySecret, hash);
    const key = ownerId === null ? null : await this.streams.state(apiKey, ownerId);
    if (key === null || key.status === 'unknown') return null;
    this.known.set(hash, { key, until: this.clock.monotonic() + CACHED_MS });
    return key;
  }

  private hash(secret: string): string {
    return this.keys.digest('api key', secret).toString('hex');
  }
}
