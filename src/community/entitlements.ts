import { Injectable } from '@nestjs/common';
import { Streams } from '../engine/streams/streams.js';
import type { EncryptedField } from '../kernel/encrypted-field.js';
import type { KnownCommunity } from './domain/community.js';
import { entitlementDecider, entitlementIdOf } from './domain/entitlement.js';

/** Finds whether users have bought the product of a paid community. */
@Injectable()
export class Entitlements {
  constructor(private readonly streams: Streams) {}

  /** @param email the user's verified address */
  async find({ settings: { tier, productId } }: KnownCommunity, email: EncryptedField | null): Promise<boolean> {
    if (tier !== 'paid' || productId === null || email === null) return false;
    return this.hasAny([productId], email.hash);
  }

  /** Finds whether the address has bought one of these products. */
  async hasAny(productIds: readonly string[], emailHash: string): Promise<boolean> {
    for (const productId of productIds) {
      const { sources } = await this.streams.loadState(entitlementDecider, entitlementIdOf(productId, emailHash));
      if (sources.length > 0) return true;
    }
    return false;
  }
}
