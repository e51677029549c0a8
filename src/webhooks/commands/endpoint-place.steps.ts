import { Injectable } from '@nestjs/common';
import { Config } from '../../config.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock } from '../../kernel/clock.js';
import { businessOf } from '../../identity/caller.js';
import { step, type Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { endpoint } from '../domain/endpoint.js';
import { endpointPlaces, endpointPlacesId } from '../domain/endpoint-places.js';

/** An endpoint that was not created within this time was left by a crash. */
const CREATION_MS = 60_000;

/**
 * The endpoint quota of a business. A command claims a part before it creates an endpoint and releases it after the
 * deletion.
 */
@Injectable()
export class EndpointPlaceSteps {
  constructor(
    private readonly streams: Streams,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @throws Rejection `endpoint_limit_reached` */
  async take(endpointId: string, context: Context): Promise<void> {
    try {
      await this.claim(endpointId, context);
    } catch (error) {
      if (!(error instanceof Rejection) || !(await this.freeUnused(context))) throw error;
      await this.claim(endpointId, context);
    }
  }

  async free(endpointId: string, context: Context): Promise<void> {
    const command = { type: 'FreeEndpointPlace', endpointId } as const;
    await this.streams.execute(endpointPlaces, placesOf(context), command, step(context, 'free', endpointId));
  }

  private async claim(endpointId: string, context: Context): Promise<void> {
    const { endpointLimit: limit } = this.config.webhooks;
    const command = { type: 'TakeEndpointPlace', endpointId, businessId: businessOf(context), limit } as const;
    await this.streams.execute(endpointPlaces, placesOf(context), command, step(context, 'take', endpointId));
  }

  /**
   * Releases the claims of endpoints that were deleted or, after a crash, never created. Returns whether there were
   * any.
   */
  private async freeUnused(context: Context): Promise<boolean> {
    const taken = await this.streams.state(endpointPlaces, placesOf(context));
    const freed = await Promise.all([...taken].map(([endpointId, at]) => this.freeIfUnused(endpointId, at, context)));
    return freed.includes(true);
  }

  private async freeIfUnused(endpointId: string, takenAt: string, context: Context): Promise<boolean> {
    let { status } = await this.streams.state(endpoint, endpointId);
    if (status === 'unknown' && this.clock.now() - Date.parse(takenAt) > CREATION_MS) {
      const forgo = { type: 'ForgoEndpoint', endpointId } as const;
      ({ status } = (await this.streams.execute(endpoint, endpointId, forgo, step(context, 'forgo', endpointId))).state);
    }
    if (status !== 'forgone' && status !== 'deleted') return false;
    await this.free(endpointId, context);
    return true;
  }
}

function placesOf({ business, mode }: Context): string {
  return endpointPlacesId(business!, mode);
}
