import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock } from '../../kernel/clock.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { apiKeyDecider, isLive } from '../domain/api-key.js';
import { businessDecider } from '../domain/business.js';
import { businessQuotaDecider, keyQuotaDecider } from '../domain/ownership-quota.js';

/** A claim whose business or key does not exist after this time was left by a crash. */
const CREATION_TIMEOUT_MS = 60_000;
/** Rotations may exceed the limit by this factor, so that a key can be replaced at the limit. */
const ROTATION_FACTOR = 2;

type QuotaDecider = typeof keyQuotaDecider;

/** Claims quota before a business or a key is created. Unused claims are released when the quota is used up. */
@Injectable()
export class OwnershipQuotaSteps {
  constructor(
    private readonly streams: Streams,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @throws Rejection `business_limit_reached` */
  claimForBusiness(businessId: string, ownerId: string, context: Context): Promise<void> {
    return this.claim(businessQuotaDecider, ownerId, businessId, this.config.limits.businesses, context);
  }

  /** @throws Rejection `key_limit_reached` */
  claimForKey(keyId: string, businessId: string, context: Context): Promise<void> {
    return this.claim(keyQuotaDecider, businessId, keyId, this.config.limits.keys, context);
  }

  /** @throws Rejection `key_limit_reached` */
  claimForSuccessor(keyId: string, businessId: string, context: Context): Promise<void> {
    return this.claim(keyQuotaDecider, businessId, keyId, this.config.limits.keys * ROTATION_FACTOR, context);
  }

  /** Claims quota. Operators have no limit. */
  private async claim(
    quota: QuotaDecider,
    ownerId: string,
    ownedId: string,
    maximum: number,
    context: Context,
  ): Promise<void> {
    const limit = context.actor.type === 'system' ? Number.MAX_SAFE_INTEGER : maximum;
    const tryClaim = () =>
      this.streams.execute(
        quota,
        ownerId,
        { type: 'ClaimQuota', ownedId, limit },
        createChildContext(context, 'claim quota', ownedId),
      );
    try {
      await tryClaim();
    } catch (error) {
      if (!(error instanceof Rejection) || !(await this.releaseUnused(quota, ownerId, context))) throw error;
      await tryClaim();
    }
  }

  private async releaseUnused(quota: QuotaDecider, ownerId: string, context: Context): Promise<boolean> {
    const claims = await this.streams.loadState(quota, ownerId);
    const released = await Promise.all(
      [...claims].map(async ([ownedId, at]) => {
        if (await this.isUsed(quota, ownedId, at)) return false;
        await this.streams.execute(
          quota,
          ownerId,
          { type: 'ReleaseQuota', ownedId },
          createChildContext(context, 'release quota', ownedId),
        );
        return true;
      }),
    );
    return released.includes(true);
  }

  private async isUsed(quota: QuotaDecider, ownedId: string, claimedAt: string): Promise<boolean> {
    const now = this.clock.now();
    const mayBeCreated = now - Date.parse(claimedAt) <= CREATION_TIMEOUT_MS;
    if (quota === businessQuotaDecider)
      return (await this.streams.loadState(businessDecider, ownedId)).status === 'active' || mayBeCreated;
    const key = await this.streams.loadState(apiKeyDecider, ownedId);
    return key.status === 'unknown' ? mayBeCreated : isLive(key, now);
  }
}
