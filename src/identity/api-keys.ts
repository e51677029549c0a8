import { Injectable } from '@nestjs/common';
import { Streams } from '../engine/streams/streams.js';
import { step, type Context } from '../kernel/context.js';
import type { Mode } from '../kernel/event.js';
import { idOf } from '../kernel/ids.js';
import { apiKey, isLive, type KeyAccess, type KnownKey } from './domain/api-key.js';
import { keySecret } from './domain/claim.js';
import { KeyCredentials } from './key-credentials.js';
import { newKey, prefixOf } from './key-format.js';
import { PlaceSteps } from './place-steps.js';
import { apiKeys, type ApiKeyDocument } from './projections/api-keys.js';

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
    private readonly credentials: KeyCredentials,
    private readonly places: PlaceSteps,
  ) {}

  async create(wanted: NewApiKey, context: Context): Promise<KeyWithSecret> {
    const keyId = idFrom(context);
    await this.places.takeForKey(keyId, wanted.businessId, within(wanted, context));
    return this.issue(keyId, wanted, context);
  }

  /** Ends the old key first. After a crash, the next run creates the new key and returns its secret. */
  async rotate(key: KnownKey, overlapSeconds: number, context: Context): Promise<KeyWithSecret> {
    const successorId = idFrom(context);
    if (isLive(key, context.at)) await this.places.takeForSuccessor(successorId, key.businessId, within(key, context));
    await this.streams.execute(apiKey, key.keyId, { type: 'RotateApiKey', successorId, overlapSeconds }, within(key, context));
    this.credentials.forget(key.keyId);
    return this.issue(successorId, key, step(context, 'successor'));
  }

  async revoke(key: KnownKey, context: Context): Promise<ApiKeyDocument> {
    const outcome = await this.streams.execute(apiKey, key.keyId, { type: 'RevokeApiKey' }, within(key, context));
    this.credentials.forget(key.keyId);
    return outcome.render(apiKeys, key.keyId);
  }

  async find(keyId: string): Promise<KnownKey | null> {
    const key = await this.streams.state(apiKey, keyId);
    return key.status === 'unknown' ? null : key;
  }

  /** Claims the secret before it creates the key, so that every existing key can be used with its secret. */
  private async issue(
    keyId: string,
    { businessId, userId, name, mode, access, expiresAt }: NewApiKey,
    context: Context,
  ): Promise<KeyWithSecret> {
    const secret = newKey(access, mode);
    const own = within({ businessId, mode }, context);
    await this.streams.execute(keySecret, this.credentials.hash(secret), { type: 'Claim', ownerId: keyId }, step(own, 'secret'));
    const facts = { keyId, businessId, userId, name, mode, access, expiresAt, prefix: prefixOf(access, mode), last4: secret.slice(-4) };
    const outcome = await this.streams.execute(apiKey, keyId, { type: 'CreateApiKey', ...facts }, own);
    return { key: await outcome.render(apiKeys, keyId), secret: outcome.repeated ? null : secret };
  }
}

function idFrom({ at, commandId }: Context): string {
  return idOf('key', at, commandId);
}

function within({ businessId, mode }: Pick<KnownKey, 'businessId' | 'mode'>, context: Context): Context {
  return { ...context, business: businessId, mode };
}
