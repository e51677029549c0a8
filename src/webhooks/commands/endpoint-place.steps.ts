import { Injectable } from '@nestjs/common';
import { Config } from '../../config.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock } from '../../kernel/clock.js';
import { businessOf } from '../../identity/caller.js';
import { step, type Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { endpoint } from '../domain/endpoint.js';
import { endpointPlaces, endpointPlacesId } from '../domain/endpoint-places.js';

/** An endpoint that has not come to be by then has been left by a crash. */
const CREATION_MS = 60_000;

/** A business's places for endpoints: one is taken before an endpoint is created, and freed after it is deleted. */
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

  /** Gives away what a crash left: places of endpoints that never came to be, or that are gone. True when there were any. */
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
