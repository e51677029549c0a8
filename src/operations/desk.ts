import type { Abstract, INestApplicationContext, Type } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Personal, subjectIn } from '../engine/sealing/personal.js';
import { ApiKeys, type KeyWithSecret } from '../identity/api-keys.js';
import { CreateBusiness } from '../identity/commands/business.commands.js';
import type { KeyAccess, KnownKey } from '../identity/domain/api-key.js';
import { operatorContext } from '../identity/identity-context.js';
import { KeyUses } from '../identity/key-uses.js';
import { Ownership } from '../identity/ownership.js';
import { apiKeys, type ApiKeyDocument } from '../identity/projections/api-keys.js';
import { businesses, type BusinessDocument } from '../identity/projections/businesses.js';
import { Subjects } from '../identity/subjects.js';
import { Users } from '../identity/users.js';
import type { Context } from '../kernel/context.js';
import { Clock } from '../kernel/clock.js';
import type { Mode } from '../kernel/event.js';
import { EventStore } from '../kernel/event-store.js';
import { foldedOf } from './folded.js';
import { CannotDo } from './toolbox.js';

const NAME_MAX = 200;

export interface Forgotten {
  /** Keyed hash of the e-mail address. */
  readonly subject: string;
  /** False when the subject was already forgotten. */
  readonly now: boolean;
}

/** Runs the commands of an operator on businesses and keys. They are the commands that the HTTP API runs. */
export class Desk {
  constructor(private readonly service: INestApplicationContext) {}

  async createBusiness(name: string, ownerSubject: string, ownerEmail: string | null) {
    if (name === '' || name.length > NAME_MAX) throw new CannotDo(`a name must have 1 to ${NAME_MAX} characters`);
    const ownerId = await this.get(Users).ofSubject(ownerSubject, ownerEmail);
    return this.get(CommandBus).execute(new CreateBusiness(this.context(), name, ownerId));
  }

  /** Returns all businesses, the newest first. */
  async businesses(): Promise<BusinessDocument[]> {
    return (await foldedOf(businesses, 'business', this.get(EventStore))).reverse();
  }

  async createKey(businessId: string, mode: Mode, access: KeyAccess, name: string): Promise<KeyWithSecret> {
    const userId = await this.ownerOf(businessId);
    const wanted = { businessId, userId, name, mode, access, expiresAt: null };
    return this.get(ApiKeys).create(wanted, this.context());
  }

  /** Returns the keys of a business, the newest first. */
  async keys(businessId: string): Promise<ApiKeyDocument[]> {
    await this.ownerOf(businessId);
    const all = await foldedOf(apiKeys, 'apiKey', this.get(EventStore));
    const own = all.filter(({ business }) => business.id === businessId);
    return this.shown(own.reverse());
  }

  async revokeKey(keyId: string): Promise<ApiKeyDocument> {
    const key = await this.keyNamed(keyId);
    return (await this.shown([await this.get(ApiKeys).revoke(key, this.context())]))[0]!;
  }

  async rotateKey(keyId: string, overlapSeconds: number): Promise<KeyWithSecret> {
    const key = await this.keyNamed(keyId);
    return this.get(ApiKeys).rotate(key, overlapSeconds, this.context());
  }

  forgetAddress(email: string): Promise<Forgotten> {
    return this.forget(this.get(Personal).subjectOf(email));
  }

  async forgetUser(userId: string): Promise<Forgotten> {
    const user = await this.get(Users).get(userId);
    if (user === null) throw new CannotDo(`there is no user ${userId}`);
    if (user.email === null) throw new CannotDo(`the user ${userId} has no e-mail address`);
    return this.forget(subjectIn(user.email));
  }

  private async forget(subject: string): Promise<Forgotten> {
    return { subject, now: await this.get(Subjects).forget(subject, this.context()) };
  }

  private async keyNamed(keyId: string): Promise<KnownKey> {
    const key = await this.get(ApiKeys).find(keyId);
    if (key === null) throw new CannotDo(`there is no key ${keyId}`);
    return key;
  }

  private async ownerOf(businessId: string): Promise<string> {
    const userId = await this.get(Ownership).ownerOf(businessId);
    if (userId === null) throw new CannotDo(`there is no business ${businessId}`);
    return userId;
  }

  private shown(keys: readonly ApiKeyDocument[]): Promise<ApiKeyDocument[]> {
    return this.get(KeyUses).shownIn(keys);
  }

  private context(): Context {
    return operatorContext(this.get(Clock).now());
  }

  private get<T>(type: Type<T> | Abstract<T>): T {
    return this.service.get<T>(type, { strict: false });
  }
}
