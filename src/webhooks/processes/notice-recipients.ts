import { Injectable, Logger } from '@nestjs/common';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { Users } from '../../identity/users.js';
import { BusinessOwnership } from '../../kernel/business-ownership.js';
import type { EncryptedField } from '../../kernel/encrypted-field.js';
import type { KnownEndpoint } from '../domain/endpoint.js';

/** Stands for the user who owns the business of an endpoint; no hash is equal to it. */
export const OWNER = 'owner';

/** Finds the current addresses of the recipients of notices. */
@Injectable()
export class NoticeRecipients {
  private readonly logger = new Logger('mail');

  constructor(
    private readonly ownership: BusinessOwnership,
    private readonly users: Users,
    private readonly personal: PersonalFields,
  ) {}

  /**
   * @param recipient `OWNER`, or the hash of an address of the endpoint @returns null when the address was removed or
   *   forgotten, or is also that of the owner, who gets the own mail
   */
  async findAddress(endpoint: KnownEndpoint, recipient: string): Promise<string | null> {
    const owner = await this.findOwnerAddress(endpoint.business);
    if (recipient !== OWNER) {
      const named = endpoint.settings.notificationEmails.find(({ hash }) => hash === recipient);
      return named === undefined || owner?.hash === recipient ? null : this.decrypt(named);
    }
    if (owner === null)
      this.logger.warn(`The owner of ${endpoint.business} has no address for the mail of ${endpoint.id}`);
    return owner && this.decrypt(owner);
  }

  private async findOwnerAddress(business: string): Promise<EncryptedField | null> {
    const ownerId = await this.ownership.findOwner(business);
    return ownerId === null ? null : ((await this.users.find(ownerId))?.email ?? null);
  }

  /** Returns null when the person was forgotten. */
  private async decrypt(email: EncryptedField): Promise<string | null> {
    return (await this.personal.decrypt({ email })).email as unknown as string | null;
  }
}
