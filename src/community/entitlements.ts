import { Injectable } from '@nestjs/common';
import { Streams } from '../engine/streams/streams.js';
import { UserAddresses } from '../identity/user-addresses.js';
import type { KnownCommunity } from './domain/community.js';
import { entitlementDecider, entitlementIdOf, type EntitlementSource } from './domain/entitlement.js';

/** Finds whether users have bought the product of a paid community. A purchase stays with the user who had its address. */
@Injectable()
export class Entitlements {
  constructor(
    private readonly streams: Streams,
    private readonly addresses: UserAddresses,
  ) {}

  async find({ settings: { tier, productId } }: KnownCommunity, userId: string): Promise<boolean> {
    return tier === 'paid' && productId !== null && this.hasAny([productId], userId);
  }

  /** Finds whether the user has bought one of these products, under any address that the user has verified. */
  async hasAny(productIds: readonly string[], userId: string): Promise<boolean> {
    for (const { hash } of await this.addresses.list(userId))
      for (const productId of productIds) {
        const { sources } = await this.streams.loadState(entitlementDecider, entitlementIdOf(productId, hash));
        for (const source of sources) if ((await this.findUser(source, hash)) === userId) return true;
      }
    return false;
  }

  /** Returns the user of an entitlement; null while nobody has verified its address. A link gives it to another user. */
  async findUser({ userId }: Partial<EntitlementSource>, emailHash: string): Promise<string | null> {
    const buyer = userId ?? (await this.addresses.listVerifiers(emailHash))[0];
    return buyer ? this.addresses.resolveLink(buyer) : null;
  }
}
