import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Streams } from '../engine/streams.js';
import { Clock } from '../kernel/clock.js';
import { step } from '../kernel/context.js';
import { EventStore } from '../kernel/event-store.js';
import { START } from '../kernel/position.js';
import { ApiKeys } from './api-keys.js';
import { CreateBusiness } from './commands/business.commands.js';
import { firstStart } from './domain/claim.js';
import { identityContext } from './identity-context.js';
import { Users } from './users.js';

const OWNER_SUBJECT = 'owner';

/** The business, its owner and its key that a store begins with when it is found empty. */
@Injectable()
export class FirstBusiness {
  constructor(
    private readonly store: EventStore,
    private readonly streams: Streams,
    private readonly commands: CommandBus,
    private readonly apiKeys: ApiKeys,
    private readonly users: Users,
    private readonly clock: Clock,
  ) {}

  /** The secret key, once; null when the store holds anything. Of several processes that start together one makes it. */
  async make(): Promise<string | null> {
    if ((await this.store.head()) !== START) return null;
    const context = identityContext(this.clock.now());
    const claim = { type: 'Claim', ownerId: context.commandId } as const;
    const { state } = await this.streams.execute(firstStart, 'service', claim, context);
    if (state.ownerId !== context.commandId) return null;

    const userId = await this.users.ofSubject(OWNER_SUBJECT, null);
    const { id } = await this.commands.execute(new CreateBusiness(step(context, 'business'), 'First business', userId));
    const wish = { businessId: id, userId, name: 'First key', mode: 'live', access: 'full', expiresAt: null } as const;
    return (await this.apiKeys.create(wish, { ...step(context, 'key'), business: id })).secret;
  }
}
