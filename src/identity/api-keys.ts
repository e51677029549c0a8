import { Injectable } from '@nestjs/common';
import { Streams } from '../engine/streams/streams.js';
import { type Context, createChildContext } from '../kernel/context.js';
import type { Mode } from '../kernel/event.js';
import { idOf } from '../kernel/ids.js';
import { ApiKeyAuthenticator } from './authentication/api-key-authenticator.js';
import { generateKey, prefixFor } from './authentication/api-key-format.js';
import { OwnershipQuotaSteps } from './commands/ownership-quota.steps.js';
import { apiKeyDecider, isLive, type KeyAccess, type KnownKey } from './domain/api-key.js';
import { keySecretClaims } from './domain/claim.js';
import { type ApiKeyDocument, apiKeys } from './projections/api-keys.js';

export interface NewApiKey {
  readonly businessId: string;
  readonly userId: string;
  readonly name: string;
  readonly mode: Mode;
  readonly access: KeyAccess;
  readonly expiresAt: string | null;
}

/** `secret` is null for a repeated command: only the first run returns it. */
export interface KeyWithSecret {
  readonly key: ApiKeyDocument;
  readonly secret: string | null;
}

/** Creates, rotates and revokes API keys. Every event of a key is recorded in the business and mode of the key. */
@Injectable()
export class ApiKeys {
  constructor(
    private readonly streams: Streams,
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly quota: OwnershipQuotaSteps,
  ) {}

  async create(options: NewApiKey, context: Context): Promise<KeyWithSecret> {
    const keyId = deriveKeyId(context);
    const claimQuota = () => this.quota.claimForKey(keyId, options.businessId, toKeyContext(options, context));
    return this.issue(keyId, options, context, claimQuota);
  }

  /** Ends the old key first. After a crash, the next run creates the new key and returns its secret. */
  async rotate(key: KnownKey, overlapSeconds: number, context: Context): Promise<KeyWithSecret> {
    const successorId = deriveKeyId(context);
    const own = toKeyContext(key, context);
    const claimQuota = async () => {
      if (isLive(key, context.at)) await this.quota.claimForSuccessor(successorId, key.businessId, own);
      return { type: 'RotateApiKey', successorId, overlapSeconds } as const;
    };
    await this.streams.execute(apiKeyDecider, key.keyId, claimQuota, own);
    this.authenticator.invalidate(key.keyId);
    return this.issue(successorId, key, createChildContext(context, 'successor'));
  }

  async revoke(key: KnownKey, context: Context): Promise<ApiKeyDocument> {
    const own = toKeyContext(key, context);
    const outcome = await this.streams.execute(apiKeyDecider, key.keyId, { type: 'RevokeApiKey' }, own);
    this.authenticator.invalidate(key.keyId);
    return outcome.render(apiKeys, key.keyId);
  }

  async find(keyId: string): Promise<KnownKey | null> {
    const key = await this.streams.loadState(apiKeyDecider, keyId);
    return key.status === 'unknown' ? null : key;
  }

  /** Claims the secret before it creates the key, so that every existing key can be used with its secret. */
  private async issue(
    keyId: string,
    { businessId, userId, name, mode, access, expiresAt }: NewApiKey,
    context: Context,
    check = async () => {},
  ): Promise<KeyWithSecret> {
    const secret = generateKey(access, mode);
    const own = toKeyContext({ businessId, mode }, context);
    const claimSecret = async () => {
      await check();
      const hash = this.authenticator.hash(secret);
      const claim = { type: 'Claim', ownerId: keyId } as const;
      await this.streams.execute(keySecretClaims, hash, claim, createChildContext(own, 'secret'));
      const prefix = prefixFor(access, mode);
      const facts = { keyId, businessId, userId, name, mode, access, expiresAt, prefix, last4: secret.slice(-4) };
      return { type: 'CreateApiKey', ...facts } as const;
    };
    const outcome = await this.streams.execute(apiKeyDecider, keyId, claimSecret, own);
    return { key: await outcome.render(apiKeys, keyId), secret: outcome.repeated ? null : secret };
  }
}

function deriveKeyId({ at, commandId }: Context): string {
  return idOf('key', at, commandId);
}

function toKeyContext({ businessId, mode }: Pick<KnownKey, 'businessId' | 'mode'>, context: Context): Context {
  return { ...context, business: businessId, mode };
}
