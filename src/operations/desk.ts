import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiKeys } from '../identity/api-keys.js';
import { CreateBusiness } from '../identity/commands/business.commands.js';
import type { KeyAccess } from '../identity/domain/api-key.js';
import { identityContext } from '../identity/identity-context.js';
import { Ownership } from '../identity/ownership.js';
import { Users } from '../identity/users.js';
import type { Context } from '../kernel/context.js';
import { Clock } from '../kernel/clock.js';
import type { Mode } from '../kernel/event.js';
import { CannotDo } from './toolbox.js';

const NAME_MAX = 200;

/** What an operator does about businesses and keys: the same commands as over HTTP, on nobody's request. */
export class Desk {
  constructor(private readonly toolbox: INestApplicationContext) {}

  async createBusiness(name: string, ownerSubject: string, ownerEmail: string | null) {
    if (name === '' || name.length > NAME_MAX) throw new CannotDo(`a name has 1 to ${NAME_MAX} characters`);
    const ownerId = await this.toolbox.get(Users, { strict: false }).ofSubject(ownerSubject, ownerEmail);
    const commands = this.toolbox.get(CommandBus, { strict: false });
    return commands.execute(new CreateBusiness(this.context(), name, ownerId));
  }

  async createKey(businessId: string, mode: Mode, access: KeyAccess, name: string) {
    const userId = await this.toolbox.get(Ownership, { strict: false }).ownerOf(businessId);
    if (userId === null) throw new CannotDo(`there is no business ${businessId}`);
    const wanted = { businessId, userId, name, mode, access, expiresAt: null };
    return this.toolbox.get(ApiKeys, { strict: false }).create(wanted, { ...this.context(), business: businessId, mode });
  }

  private context(): Context {
    return identityContext(this.toolbox.get(Clock, { strict: false }).now(), undefined, { type: 'system', id: 'operator' });
  }
}
