import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Streams } from '../engine/streams/streams.js';
import { Clock } from '../kernel/clock.js';
import { step, type Context } from '../kernel/context.js';
import { EventStore } from '../kernel/event-store.js';
import { Holder } from '../kernel/holder.js';
import { START } from '../kernel/position.js';
import { ReadModels } from '../kernel/read-models.js';
import { ApiKeys, type NewApiKey } from './api-keys.js';
import { CreateBusiness } from './commands/business.commands.js';
import { firstKeyTold, firstStart } from './domain/claim.js';
import { identityContext } from './identity-context.js';
import { Users } from './users.js';

const OWNER_SUBJECT = 'owner';
const SERVICE = 'service';
const LEASE = 'first-start';
const LEASE_MS = 60_000;

/** The keys of the first business: one for each mode. */
export interface FirstKeys {
  readonly live: string;
  readonly test: string;
}

/** Creates the first business, its owner and its keys in an empty store. */
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
   * Creates the first business and shows its keys, once among all processes that start together. After a crash the
   * next start completes the work, and shows new keys if the first keys were not shown.
   */
  async introduce(tell: (keys: FirstKeys) => void): Promise<void> {
    if ((await this.isDone()) || (await this.readModels.lease(LEASE, this.holder.name, LEASE_MS)) === null) return;
    try {
      if (await this.isDone()) return;
      const { id, keys } = await this.make(await this.claimed());
      tell(keys);
      await this.streams.execute(firstKeyTold, SERVICE, { type: 'Claim', ownerId: id }, identityContext(this.clock.now()));
    } finally {
      await this.readModels.release(LEASE, this.holder.name);
    }
  }

  /** Whether the store is empty. Without a business no caller can use the API. */
  async isMissing(): Promise<boolean> {
    return (await this.store.head()) === START;
  }

  /** Whether the keys were shown, or an operator has already written to the store. */
  private async isDone(): Promise<boolean> {
    const [begun, told] = await Promise.all([this.streams.state(firstStart, SERVICE), this.streams.state(firstKeyTold, SERVICE)]);
    return told.ownerId !== null || (begun.ownerId === null && (await this.store.head()) !== START);
  }

  /** Claims the first start. Returns the context of the first claim, which may be from an earlier start. */
  private async claimed(): Promise<Context> {
    const context = identityContext(this.clock.now());
    await this.streams.execute(firstStart, SERVICE, { type: 'Claim', ownerId: context.commandId }, context);
    const [claim] = await this.streams.history(firstStart, SERVICE);
    return identityContext(Date.parse(claim!.meta.at), claim!.meta.commandId);
  }

  private async make(context: Context): Promise<{ id: string; keys: FirstKeys }> {
    const userId = await this.users.ofSubject(OWNER_SUBJECT, null);
    const { id } = await this.commands.execute(new CreateBusiness(step(context, 'business'), 'First business', userId));
    const owner = { businessId: id, userId };
    const live = await this.makeKey({ ...owner, name: 'First key', mode: 'live' }, step(context, 'key'));
    const test = await this.makeKey({ ...owner, name: 'First test key', mode: 'test' }, step(context, 'test-key'));
    return { id, keys: { live, test } };
  }

  /** Creates a key. A repeated creation returns no secret, so another key is created. */
  private async makeKey(wanted: Pick<NewApiKey, 'businessId' | 'userId' | 'name' | 'mode'>, context: Context): Promise<string> {
    const full = { ...wanted, access: 'full', expiresAt: null } as const;
    const { secret } = await this.apiKeys.create(full, context);
    return secret ?? (await this.apiKeys.create(full, identityContext(this.clock.now()))).secret!;
  }
}
