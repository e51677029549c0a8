import { Injectable } from '@nestjs/common';
import { LruCache } from '../engine/lru-cache.js';
import type { CallerContext } from '../kernel/caller.js';
import { Clock, toIso } from '../kernel/clock.js';
import { Rejection } from '../kernel/rejection.js';

const WINDOW_MS = 60 * 60 * 1000;
const MAX_COUNTED = 20_000;

/** The failures within an hour after which the next try must wait, against the testing of cards and the guessing of codes. */
const LIMITS = {
  declined_payment: { max: 10, name: 'declined payments' },
  wrong_code: { max: 30, name: 'wrong discount codes' },
} as const;

type FailureKind = keyof typeof LIMITS;

/** The sale in which a buyer fails. `cartId` is null when the cart does not exist yet, or counts by itself. */
interface Sale {
  readonly businessId: string;
  readonly cartId: string | null;
}

/**
 * Counts the failures of buyers in this process: per cart, per session, and per business and address. The requests of a
 * seller's key come from one address for all its buyers, so they are counted per cart only.
 */
@Injectable()
export class FailureCounts {
  private readonly times = new LruCache<string, readonly number[]>(MAX_COUNTED);

  constructor(private readonly clock: Clock) {}

  /** Runs a try of the caller, and counts it when it ends with this rejection. @throws Rejection rate_limited */
  async count<T>(
    kind: FailureKind,
    code: string,
    sale: Sale,
    context: CallerContext,
    run: () => Promise<T>,
  ): Promise<T> {
    const keys = listKeys(sale, context).map((key) => `${kind} ${key}`);
    this.assertAllowed(kind, keys);
    try {
      return await run();
    } catch (error) {
      if (error instanceof Rejection && error.code === code) for (const key of keys) this.add(kind, key);
      throw error;
    }
  }

  private assertAllowed(kind: FailureKind, keys: readonly string[]): void {
    const { max, name } = LIMITS[kind];
    const now = this.clock.now();
    for (const key of keys) {
      const times = this.times.get(key) ?? [];
      const oldest = times.length < max ? undefined : times[0];
      if (oldest === undefined || now >= oldest + WINDOW_MS) continue;
      const detail = `There were ${max} ${name} within an hour. Try again later.`;
      throw Rejection.rateLimited(detail, { now: toIso(now), until: toIso(oldest + WINDOW_MS) });
    }
  }

  private add(kind: FailureKind, key: string): void {
    this.times.set(key, [...(this.times.get(key) ?? []), this.clock.now()].slice(-LIMITS[kind].max));
  }
}

function listKeys({ businessId, cartId }: Sale, { caller, address }: CallerContext): readonly string[] {
  const isBuyer = caller.kind === 'cart_token' || (caller.kind === 'session' && caller.business === null);
  return [
    ...(cartId === null ? [] : [`cart ${cartId}`]),
    ...(isBuyer && caller.kind === 'session' ? [`session ${caller.actor.id}`] : []),
    ...(isBuyer && address !== undefined ? [`business ${businessId} ${address}`] : []),
  ];
}
