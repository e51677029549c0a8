import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Streams } from '../../engine/streams/streams.js';
import { requireBusiness } from '../../kernel/caller.js';
import { Clock } from '../../kernel/clock.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { endpointDecider } from '../domain/endpoint.js';
import { endpointQuotaDecider, endpointQuotaIdOf } from '../domain/endpoint-quota.js';

/** An endpoint that was not created within this time was left by a crash. */
const CREATION_TIMEOUT_MS = 60_000;

/**
 * The endpoint quota of a business. A command claims a part before it creates an endpoint and releases it after the
 * deletion.
 */
@Injectable()
export class EndpointQuotaSteps {
  constructor(
    private readonly streams: Streams,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @throws Rejection `endpoint_limit_reached` */
  async claim(endpointId: string, context: Context): Promise<void> {
    try {
      await this.tryClaim(endpointId, context);
    } catch (error) {
      if (!(error instanceof Rejection) || !(await this.releaseUnused(context))) throw error;
      await this.tryClaim(endpointId, context);
    }
  }

  async release(endpointId: string, context: Context): Promise<void> {
    const command = { type: 'ReleaseEndpointQuota', endpointId } as const;
    await this.streams.execute(
      endpointQuotaDecider,
      quotaIdOf(context),
      command,
      createChildContext(context, 'free', endpointId),
    );
  }

  private async tryClaim(endpointId: string, context: Context): Promise<void> {
    const { endpointLimit: limit } = this.config.webhooks;
    const command = { type: 'ClaimEndpointQuota', endpointId, businessId: requireBusiness(context), limit } as const;
    await this.streams.execute(
      endpointQuotaDecider,
      quotaIdOf(context),
      command,
      createChildContext(context, 'take', endpointId),
    );
  }

  /**
   * Releases the claims of endpoints that were deleted or, after a crash, never created. Returns whether there were
   * any.
   */
  private async releaseUnused(context: Context): Promise<boolean> {
    const claims = await this.streams.loadState(endpointQuotaDecider, quotaIdOf(context));
    const released = await Promise.all(
      [...claims].map(([endpointId, at]) => this.releaseIfUnused(endpointId, at, context)),
    );
    return released.includes(true);
  }

  private async releaseIfUnused(endpointId: string, claimedAt: string, context: Context): Promise<boolean> {
    let { status } = await this.streams.loadState(endpointDecider, endpointId);
    if (status === 'unknown' && this.clock.now() - Date.parse(claimedAt) > CREATION_TIMEOUT_MS) {
      const abandon = { type: 'AbandonEndpoint', endpointId } as const;
      ({ status } = (
        await this.streams.execute(
          endpointDecider,
          endpointId,
          abandon,
          createChildContext(context, 'abandon', endpointId),
        )
      ).state);
    }
    if (status !== 'abandoned' && status !== 'deleted') return false;
    await this.release(endpointId, context);
    return true;
  }
}

function quotaIdOf({ business, mode }: Context): string {
  return endpointQuotaIdOf(business!, mode);
}
