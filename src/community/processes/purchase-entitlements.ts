import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { UserAddresses } from '../../identity/user-addresses.js';
import { type Context, createEventContext } from '../../kernel/context.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { type EntitlementCommand, entitlementDecider, entitlementIdOf } from '../domain/entitlement.js';
import { type Purchase, Purchases } from './purchases.js';

/** Records the entitlements of purchases, for reactors. */
@Injectable()
export class PurchaseEntitlements {
  constructor(
    private readonly streams: Streams,
    private readonly purchases: Purchases,
    private readonly addresses: UserAddresses,
  ) {}

  /**
   * Records whether the purchase entitles its buyer now. Decides again after each recorded change: events of other
   * streams are handled at the same time.
   */
  async settle(purchase: Purchase, event: RecordedEvent, reactor: string): Promise<void> {
    for (let step = 0; ; step++) {
      const type = (await this.purchases.isEntitling(purchase)) ? 'GrantEntitlement' : 'EndEntitlement';
      const context = createEventContext(event, reactor, purchase.line.lineId, step);
      if (!(await this.record(type, purchase, context))) return;
    }
  }

  async end(purchase: Purchase, event: RecordedEvent, reactor: string): Promise<void> {
    await this.record('EndEntitlement', purchase, createEventContext(event, reactor, purchase.line.lineId));
  }

  /** Returns false when nothing changes. */
  private async record(
    type: EntitlementCommand['type'],
    { order: { buyer }, line: { productId, subscriptionId, lineId } }: Purchase,
    context: Context,
  ): Promise<boolean> {
    const emailHash = buyer.email.hash;
    const userId = (await this.addresses.listVerifiers(emailHash)).at(-1) ?? null;
    const command = { type, productId, emailHash, source: subscriptionId ?? lineId, userId };
    const id = entitlementIdOf(productId, emailHash);
    const { recorded } = await this.streams.execute(entitlementDecider, id, command, context);
    return recorded.length > 0;
  }
}
