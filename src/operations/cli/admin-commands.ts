import type { Abstract, INestApplicationContext, Type } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { PersonalFields, subjectOfBox } from '../../engine/encryption/personal-fields.js';
import { ApiKeyUsage } from '../../identity/api-key-usage.js';
import { ApiKeys, type KeyWithSecret } from '../../identity/api-keys.js';
import { BusinessOwnership } from '../../identity/business-ownership.js';
import { CreateBusiness } from '../../identity/commands/business.commands.js';
import type { KeyAccess, KnownKey } from '../../identity/domain/api-key.js';
import { type ApiKeyDocument, apiKeys } from '../../identity/projections/api-keys.js';
import { type BusinessDocument, businesses } from '../../identity/projections/businesses.js';
import { Subjects } from '../../identity/subjects.js';
import { createOperatorContext } from '../../identity/system-context.js';
import { Users } from '../../identity/users.js';
import { Clock } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import type { Mode } from '../../kernel/event.js';
import { EventStore } from '../../kernel/event-store.js';
import { CliError } from './cli.js';
import { foldFromLog } from './fold-from-log.js';

const NAME_MAX = 200;

export interface ForgetResult {
  /** Keyed hash of the e-mail address. */
  readonly subject: string;
  /** False when the subject was already forgotten. */
  readonly now: boolean;
}

/** Runs the commands of an operator on businesses and keys. They are the commands that the HTTP API runs. */
export class AdminCommands {
  constructor(private readonly service: INestApplicationContext) {}

  async createBusiness(name: string, ownerSubject: string, ownerEmail: string | null) {
    if (name === '' || name.length > NAME_MAX) throw new CliError(`a name must have 1 to ${NAME_MAX} characters`);
    const ownerId = await this.get(Users).resolveSubject(ownerSubject, ownerEmail);
    return this.get(CommandBus).execute(new CreateBusiness(this.createContext(), { name, ownerId }));
  }

  /** Returns all businesses, the newest first. */
  async listBusinesses(): Promise<BusinessDocument[]> {
    return (await foldFromLog(businesses, 'business', this.get(EventStore))).reverse();
  }

  async createKey(businessId: string, mode: Mode, access: KeyAccess, name: string): Promise<KeyWithSecret> {
    const userId = await this.requireOwner(businessId);
    const request = { businessId, userId, name, mode, access, expiresAt: null };
    return this.get(ApiKeys).create(request, this.createContext());
  }

  /** Returns the keys of a business, the newest first. */
  async listKeys(businessId: string): Promise<ApiKeyDocument[]> {
    await this.requireOwner(businessId);
    const all = await foldFromLog(apiKeys, 'apiKey', this.get(EventStore));
    const own = all.filter(({ business }) => business.id === businessId);
    return this.withLastUsed(own.reverse());
  }

  async revokeKey(keyId: string): Promise<ApiKeyDocument> {
    const key = await this.requireKey(keyId);
    return (await this.withLastUsed([await this.get(ApiKeys).revoke(key, this.createContext())]))[0]!;
  }

  async rotateKey(keyId: string, overlapSeconds: number): Promise<KeyWithSecret> {
    const key = await this.requireKey(keyId);
    return this.get(ApiKeys).rotate(key, overlapSeconds, this.createContext());
  }

  forgetAddress(email: string): Promise<ForgetResult> {
    return this.forget(this.get(PersonalFields).subjectOf(email));
  }

  async forgetUser(userId: string): Promise<ForgetResult> {
    const user = await this.get(Users).find(userId);
    if (user === null) throw new CliError(`there is no user ${userId}`);
    if (user.email === null) throw new CliError(`the user ${userId} has no e-mail address`);
    return this.forget(subjectOfBox(user.email));
  }

  private async forget(subject: string): Promise<ForgetResult> {
    return { subject, now: await this.get(Subjects).forget(subject, this.createContext()) };
  }

  private async requireKey(keyId: string): Promise<KnownKey> {
    const key = await this.get(ApiKeys).find(keyId);
    if (key === null) throw new CliError(`there is no key ${keyId}`);
    return key;
  }

  private async requireOwner(businessId: string): Promise<string> {
    const userId = await this.get(BusinessOwnership).findOwner(businessId);
    if (userId === null) throw new CliError(`there is no business ${businessId}`);
    return userId;
  }

  private withLastUsed(keys: readonly ApiKeyDocument[]): Promise<ApiKeyDocument[]> {
    return this.get(ApiKeyUsage).withLastUsed(keys);
  }

  private createContext(): Context {
    return createOperatorContext(this.get(Clock).now());
  }

  private get<T>(type: Type<T> | Abstract<T>): T {
    return this.service.get<T>(type, { strict: false });
  }
}
