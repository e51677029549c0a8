import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { ApiKeyUsage } from '../api-key-usage.js';
import { ApiKeys, type KeyWithSecret, type NewApiKey } from '../api-keys.js';
import type { KnownKey } from '../domain/api-key.js';
import type { ApiKeyDocument } from '../projections/api-keys.js';

export class CreateApiKey extends Command<KeyWithSecret> {
  constructor(
    readonly context: Context,
    readonly options: NewApiKey,
  ) {
    super();
  }
}

@CommandHandler(CreateApiKey)
export class CreateApiKeyHandler implements ICommandHandler<CreateApiKey> {
  constructor(private readonly keys: ApiKeys) {}

  execute({ context, options: wanted }: CreateApiKey): Promise<KeyWithSecret> {
    if (wanted.expiresAt !== null && Date.parse(wanted.expiresAt) <= context.at) throw createExpiryRejection();
    return this.keys.create(wanted, context);
  }
}

export class RotateApiKey extends Command<KeyWithSecret> {
  constructor(
    readonly context: Context,
    readonly id: string,
    readonly overlapSeconds: number,
  ) {
    super();
  }
}

@CommandHandler(RotateApiKey)
export class RotateApiKeyHandler implements ICommandHandler<RotateApiKey> {
  constructor(private readonly keys: ApiKeys) {}

  async execute({ context, id, overlapSeconds }: RotateApiKey): Promise<KeyWithSecret> {
    return this.keys.rotate(requireKeyOfBusiness(await this.keys.find(id), context), overlapSeconds, context);
  }
}

export class RevokeApiKey extends Command<ApiKeyDocument> {
  constructor(
    readonly context: Context,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(RevokeApiKey)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKey> {
  constructor(
    private readonly keys: ApiKeys,
    private readonly usage: ApiKeyUsage,
  ) {}

  async execute({ context, id }: RevokeApiKey): Promise<ApiKeyDocument> {
    const revoked = await this.keys.revoke(requireKeyOfBusiness(await this.keys.find(id), context), context);
    return (await this.usage.withLastUsed([revoked]))[0]!;
  }
}

/** Returns the key if it belongs to the business, in either mode. @throws Rejection 404 */
function requireKeyOfBusiness(key: KnownKey | null, { business }: Context): KnownKey {
  if (key === null || key.businessId !== business) throw Rejection.notFound();
  return key;
}

function createExpiryRejection(): Rejection {
  return Rejection.ofField('expires_at', 'invalid_value', 'expires_at must be in the future.');
}
