import type { Abstract, INestApplicationContext, Type } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { BuyerCharges, describeCharges } from '../../commerce/commands/buyer-charges.steps.js';
import { OpenSales } from '../../commerce/commands/buyer-sales.steps.js';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { firstSubjectOf } from '../../engine/encryption/subject-names.js';
import { Streams } from '../../engine/streams/streams.js';
import { ApiKeyUsage } from '../../identity/api-key-usage.js';
import { ApiKeys, type KeyWithSecret } from '../../identity/api-keys.js';
import { CreateBusiness } from '../../identity/commands/business.commands.js';
import type { KeyAccess, KnownKey } from '../../identity/domain/api-key.js';
import { userDecider } from '../../identity/domain/user.js';
import { type ApiKeyDocument, apiKeys } from '../../identity/projections/api-keys.js';
import { type BusinessDocument, businesses } from '../../identity/projections/businesses.js';
import { type PersonAddress, Subjects } from '../../identity/subjects.js';
import { createOperatorContext } from '../../identity/system-context.js';
import { UserAddresses } from '../../identity/user-addresses.js';
import { LinkRefused, UserLinks } from '../../identity/user-links.js';
import { Users } from '../../identity/users.js';
import { BusinessOwnership } from '../../kernel/business-ownership.js';
import { Clock } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { subjectOfBox } from '../../kernel/encrypted-field.js';
import type { Mode } from '../../kernel/event.js';
import { EventStore } from '../../kernel/event-store.js';
import { CliError } from './cli.js';
import { foldFromLog } from './fold-from-log.js';
import { listHeld } from './held-by-user.js';
import { findPersonCharges, type PersonCharges } from './person-charges.js';

const END_CHARGES = 'Nobody was forgotten: use --end-charges to end them first.';
const LINK_OTHERWISE = 'link the other user to it, or let it leave the communities first';
const TRY_AGAIN = 'The others have ended, and nobody was forgotten: try again later.';

export interface ForgetResult {
  /** Keyed hash of the e-mail address; of the latest one for a user, null for a user without one. */
  readonly subject: string | null;
  /** False when the subject, or the user with every subject of it, was already forgotten. */
  readonly now: boolean;
}

/** Runs the commands of an operator on businesses and keys. They are the commands that the HTTP API runs. */
export class AdminCommands {
  constructor(private readonly service: INestApplicationContext) {}

  async createBusiness(name: string, ownerSubject: string, ownerEmail: string | null) {
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

  /** Refuses an unknown address, because it may be misspelled. */
  async forgetAddress(email: string, endsCharges: boolean): Promise<ForgetResult> {
    const personal = this.get(PersonalFields);
    const subject = personal.subjectOf(email);
    if (!(await this.get(Subjects).isKnown(subject)))
      throw new CliError(`no data of ${email} were found: nobody was forgotten`);
    return this.forget([{ subject, hash: personal.hash(email) }], endsCharges);
  }

  /** Forgets every address that the user has verified or will verify, save those that another user has now. */
  async forgetUser(userId: string, endsCharges: boolean): Promise<ForgetResult> {
    if ((await this.get(Users).find(userId)) === null) throw new CliError(`there is no user ${userId}`);
    const addresses = await this.listAddresses(userId);
    const result = addresses.length === 0 ? null : await this.forget(addresses, endsCharges);
    const command = { type: 'ForgetUser', userId } as const;
    const { recorded } = await this.get(Streams).execute(userDecider, userId, command, this.createContext());
    // The user may have verified another address since.
    for (const address of await this.listAddresses(userId))
      await this.get(Subjects).forgetAddress(address, this.createContext());
    return result ?? { subject: null, now: recorded.length > 0 };
  }

  private async listAddresses(userId: string): Promise<readonly PersonAddress[]> {
    const addresses: PersonAddress[] = [];
    for (const address of await this.get(UserAddresses).list(userId)) {
      const holder = await this.get(Users).findByEmailHash(address.hash);
      if (holder === null || holder.id === userId)
        addresses.push({ subject: subjectOfBox(address), hash: address.hash });
    }
    return addresses;
  }

  /**
   * Makes two users one: the subjects of `from` sign in as `to`.
   * @throws CliError, which names what `from` would lose
   */
  async linkUsers(from: string, to: string): Promise<void> {
    const held = await listHeld(from, this.get(EventStore));
    if (held.length > 0) throw new CliError(`${from} would lose ${held.join(', ')}: ${LINK_OTHERWISE}`);
    try {
      await this.get(UserLinks).link(from, to, () => this.createContext());
    } catch (error) {
      throw error instanceof LinkRefused ? new CliError(error.message) : error;
    }
  }

  /** @throws CliError, which names what may still charge the person */
  private async forget(addresses: readonly PersonAddress[], endsCharges: boolean): Promise<ForgetResult> {
    const hashes = new Set(addresses.map(({ hash }) => hash));
    const found = await findPersonCharges(hashes, this.get(EventStore), this.get(BuyerCharges));
    const remaining = endsCharges ? await this.endCharges(found) : found;
    const names = remaining.flatMap(({ charges }) => describeCharges(charges));
    if (names.length > 0) throw new CliError(`${names.join(' ')} ${endsCharges ? TRY_AGAIN : END_CHARGES}`);
    await this.endSales(found);
    const results: ForgetResult[] = [];
    for (const address of addresses)
      results.push({
        subject: firstSubjectOf(address.subject),
        now: await this.get(Subjects).forgetAddress(address, this.createContext()),
      });
    return { ...results.at(-1)!, now: results.some(({ now }) => now) };
  }

  private async endCharges(found: readonly PersonCharges[]): Promise<PersonCharges[]> {
    const remaining: PersonCharges[] = [];
    for (const one of found) {
      const charges = await this.get(BuyerCharges).end(one.charges, this.createContextOf(one));
      remaining.push({ ...one, charges });
    }
    return remaining;
  }

  private async endSales(found: readonly PersonCharges[]): Promise<void> {
    for (const one of found) await this.get(OpenSales).end(one.sales, this.createContextOf(one));
  }

  private createContextOf({ business, mode }: PersonCharges): Context {
    return { ...this.createContext(), business, mode };
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
