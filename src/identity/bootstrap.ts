import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Streams } from '../engine/streams/streams.js';
import { Clock } from '../kernel/clock.js';
import { type Context, createChildContext } from '../kernel/context.js';
import { EventStore } from '../kernel/event-store.js';
import { Leases } from '../kernel/leases.js';
import { START } from '../kernel/position.js';
import { ProcessId } from '../kernel/process-id.js';
import { ApiKeys, type NewApiKey } from './api-keys.js';
import { CreateBusiness } from './commands/business.commands.js';
import { firstKeyClaims, firstStartClaims } from './domain/claim.js';
import { createSystemContext } from './system-context.js';
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
export class Bootstrap {
  constructor(
    private readonly store: EventStore,
    private readonly leases: Leases,
    private readonly streams: Streams,
    private readonly commands: CommandBus,
    private readonly apiKeys: ApiKeys,
    private readonly users: Users,
    private readonly clock: Clock,
    private readonly processId: ProcessId,
  ) {}

  /**
   * Creates the first business and shows its keys, once among all processes that start together. After a crash the
   * next start completes the work, and shows new keys if the first keys were not shown.
   */
  async run(showKeys: (keys: FirstKeys) => void): Promise<void> {
    if ((await this.isDone()) || (await this.leases.acquireLease(LEASE, this.processId.value, LEASE_MS)) === null)
      return;
    try {
      if (await this.isDone()) return;
      const { id, keys } = await this.create(await this.claimFirstStart());
      showKeys(keys);
      await this.streams.execute(
        firstKeyClaims,
        SERVICE,
        { type: 'Claim', ownerId: id },
        createSystemContext(this.clock.now()),
      );
    } finally {
      await this.leases.releaseLease(LEASE, this.processId.value);
    }
  }

  /** Whether the store is empty. Without a business no caller can use the API. */
  async isEmpty(): Promise<boolean> {
    return (await this.store.readHead()) === START;
  }

  /** Whether the keys were shown, or an operator has already written to the store. */
  private async isDone(): Promise<boolean> {
    const [start, shown] = await Promise.all([
      this.streams.loadState(firstStartClaims, SERVICE),
      this.streams.loadState(firstKeyClaims, SERVICE),
    ]);
    return shown.ownerId !== null || (start.ownerId === null && (await this.store.readHead()) !== START);
  }

  /** Claims the first start. Returns the context of the first claim, which may be from an earlier start. */
  private async claimFirstStart(): Promise<Context> {
    const context = createSystemContext(this.clock.now());
    await this.streams.execute(firstStartClaims, SERVICE, { type: 'Claim', ownerId: context.commandId }, context);
    const [claim] = await this.streams.loadHistory(firstStartClaims, SERVICE);
    return createSystemContext(Date.parse(claim!.meta.at), claim!.meta.commandId);
  }

  private async create(context: Context): Promise<{ id: string; keys: FirstKeys }> {
    const userId = await this.users.resolveSubject(OWNER_SUBJECT, null);
    const { id } = await this.commands.execute(
      new CreateBusiness(createChildContext(context, 'business'), { name: 'First business', ownerId: userId }),
    );
    const owner = { businessId: id, userId };
    const live = await this.createKey(
      { ...owner, name: 'First key', mode: 'live' },
      createChildContext(context, 'key'),
    );
    const test = await this.createKey(
      { ...owner, name: 'First test key', mode: 'test' },
      createChildContext(context, 'test-key'),
    );
    return { id, keys: { live, test } };
  }

  /** Creates a key. A repeated creation returns no secret, so another key is created. */
  private async createKey(
    options: Pick<NewApiKey, 'businessId' | 'userId' | 'name' | 'mode'>,
    context: Context,
  ): Promise<string> {
    const full = { ...options, access: 'full', expiresAt: null } as const;
    const { secret } = await this.apiKeys.create(full, context);
    return secret ?? (await this.apiKeys.create(full, createSystemContext(this.clock.now()))).secret!;
  }
}
