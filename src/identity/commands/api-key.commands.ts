import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { requireOfBusiness } from '../../kernel/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import { ApiKeyUsage } from '../api-key-usage.js';
import { ApiKeys, type KeyWithSecret, type NewApiKey } from '../api-keys.js';
import type { ApiKeyDocument } from '../projections/api-keys.js';

export class CreateApiKey extends ContextCommand<NewApiKey, KeyWithSecret> {}

@CommandHandler(CreateApiKey)
export class CreateApiKeyHandler implements ICommandHandler<CreateApiKey> {
  constructor(private readonly keys: ApiKeys) {}

  execute({ context, params }: CreateApiKey): Promise<KeyWithSecret> {
    if (params.expiresAt !== null && Date.parse(params.expiresAt) <= context.at)
      throw Rejection.ofField('expires_at', 'invalid_value', 'expires_at must be in the future.');
    return this.keys.create(params, context);
  }
}

export class RotateApiKey extends ContextCommand<{ id: string; overlapSeconds: number }, KeyWithSecret> {}

@CommandHandler(RotateApiKey)
export class RotateApiKeyHandler implements ICommandHandler<RotateApiKey> {
  constructor(private readonly keys: ApiKeys) {}

  async execute({ context, params: { id, overlapSeconds } }: RotateApiKey): Promise<KeyWithSecret> {
    const found = await this.keys.find(id);
    return this.keys.rotate(requireOfBusiness(found, found?.businessId, context), overlapSeconds, context);
  }
}

export class RevokeApiKey extends ContextCommand<{ id: string }, ApiKeyDocument> {}

@CommandHandler(RevokeApiKey)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKey> {
  constructor(
    private readonly keys: ApiKeys,
    private readonly usage: ApiKeyUsage,
  ) {}

  async execute({ context, params: { id } }: RevokeApiKey): Promise<ApiKeyDocument> {
    const found = await this.keys.find(id);
    const revoked = await this.keys.revoke(requireOfBusiness(found, found?.businessId, context), context);
    return (await this.usage.withLastUsed([revoked]))[0]!;
  }
}
