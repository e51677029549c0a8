import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Streams } from '../engine/streams/streams.js';
import { Clock } from '../kernel/clock.js';
import { step, type Context } from '../kernel/context.js';
import { EventStore } from '../kernel/event-store.js';
import { Holder } from '../kernel/holder.js';
import { START } from '../kernel/position.js';
import { ReadModels } from '../kernel/read-models.js';
import { ApiKeys } from './api-keys.js';
import { CreateBusiness } from './commands/business.commands.js';
import { firstKeyTold, firstStart } from './domain/claim.js';
import { identityContext } from './identity-context.js';
import { Users } from './users.js';

const OWNER_SUBJECT = 'owner';
const SERVICE = 'service';
const LEASE = 'first-start';
const LEASE_MS = 60_000;

/** The business, its owner and its key that a store begins with when it is found empty. */
@Injectable()
export class FirstBusiness {
  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    private readonly streams: Streams,
    private readonly commands: CommandBus,
    private readonly apiKeys: ApiKeys,
    private readonly users: Users,
    private readonly clock: Clock,
    private readonly holder: Holder,
  ) {}

  /**
   * Makes them and tells the secret key: once, by one of the processes that start together. What a crash cut short is taken up by the
   * next start, which tells a key of its own when the first one was never told.
   */
  async introduce(tell: (secret: string) => void): Promise<void> {
    if ((await this.isDone()) || (await this.readModels.lease(LEASE, this.holder.name, LEASE_MS)) === null) return;
    try {
      if (await this.isDone()) return;
      const { id, secret } = await this.make(await this.claimed());
      tell(secret);
      await this.streams.execute(firstKeyTold, SERVICE, { type: 'Claim', ownerId: id }, identityContext(this.clock.now()));
    } finally {
      await this.readModels.release(LEASE, this.holder.name);
    }
  }

  /** Told already, or begun by an operator in another way. */
  private async isDone(): Promise<boolean> {
    const [begun, told] = await Promise.all([this.streams.state(firstStart, SERVICE), this.streams.state(firstKeyTold, SERVICE)]);
    return told.ownerId !== null || (begun.ownerId === null && (await this.store.head()) !== START);
  }

  /** The command of the first start, be it an earlier one. */
  private async claimed(): Promise<Context> {
    const context = identityContext(this.clock.now());
    await this.streams.execute(firstStart, SERVICE, { type: 'Claim', ownerId: context.commandId }, context);
    const [claim] = await this.streams.history(firstStart, SERVICE);
    return identityContext(Date.parse(claim!.meta.at), claim!.meta.commandId);
  }

  private async make(context: Context): Promise<{ id: string; secret: string }> {
    const userId = await this.users.ofSubject(OWNER_SUBJECT, null);
    const { id } = await this.commands.execute(new CreateBusiness(step(context, 'business'), 'First business', userId));
    const wanted = { businessId: id, userId, name: 'First key', mode: 'live', access: 'full', expiresAt: null } as const;
    const first = await this.apiKeys.create(wanted, step(context, 'key'));
    const { secret } = first.secret === null ? await this.apiKeys.create(wanted, identityContext(this.clock.now())) : first;
    return { id, secret: secret! };
  }
}
