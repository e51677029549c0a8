import { Injectable } from '@nestjs/common';
import { Config } from '../config.js';
import { Streams } from '../engine/streams/streams.js';
import { Clock } from '../kernel/clock.js';
import { step, type Context } from '../kernel/context.js';
import { Rejection } from '../kernel/rejection.js';
import { apiKey, isLive } from './domain/api-key.js';
import { business } from './domain/business.js';
import { businessPlaces, keyPlaces } from './domain/places.js';

/** A claim whose business or key does not exist after this time was left by a crash. */
const CREATION_MS = 60_000;
/** Rotations may exceed the limit by this factor, so that a key can be replaced at the limit. */
const ROOM_FOR_ROTATIONS = 2;

type Places = typeof keyPlaces;

/** Claims quota before a business or a key is created. Unused claims are released when the quota is used up. */
@Injectable()
export class PlaceSteps {
  constructor(
    private readonly streams: Streams,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @throws Rejection `business_limit_reached` */
  takeForBusiness(businessId: string, ownerId: string, context: Context): Promise<void> {
    return this.take(businessPlaces, ownerId, businessId, this.config.limits.businesses, context);
  }

  /** @throws Rejection `key_limit_reached` */
  takeForKey(keyId: string, businessId: string, context: Context): Promise<void> {
    return this.take(keyPlaces, businessId, keyId, this.config.limits.keys, context);
  }

  /** @throws Rejection `key_limit_reached` */
  takeForSuccessor(keyId: string, businessId: string, context: Context): Promise<void> {
    return this.take(keyPlaces, businessId, keyId, this.config.limits.keys * ROOM_FOR_ROTATIONS, context);
  }

  /** Claims quota. Operators have no limit. */
  private async take(places: Places, ownerId: string, ownedId: string, most: number, context: Context): Promise<void> {
    const limit = context.actor.type === 'system' ? Number.MAX_SAFE_INTEGER : most;
    const claim = () => this.streams.execute(places, ownerId, { type: 'TakePlace', ownedId, limit }, step(context, 'take place', ownedId));
    try {
      await claim();
    } catch (error) {
      if (!(error instanceof Rejection) || !(await this.freeUnused(places, ownerId, context))) throw error;
      await claim();
    }
  }

  private async freeUnused(places: Places, ownerId: string, context: Context): Promise<boolean> {
    const taken = await this.streams.state(places, ownerId);
    const freed = await Promise.all(
      [...taken].map(async ([ownedId, at]) => {
        if (await this.isUsed(places, ownedId, at)) return false;
        await this.streams.execute(places, ownerId, { type: 'FreePlace', ownedId }, step(context, 'free place', ownedId));
        return true;
      }),
    );
    return freed.includes(true);
  }

  private async isUsed(places: Places, ownedId: string, takenAt: string): Promise<boolean> {
    const now = this.clock.now();
    const mayComeToBe = now - Date.parse(takenAt) <= CREATION_MS;
    if (places === businessPlaces) return (await this.streams.state(business, ownedId)).status === 'active' || mayComeToBe;
    const key = await this.streams.state(apiKey, ownedId);
    return key.status === 'unknown' ? mayComeToBe : isLive(key, now);
  }
}
