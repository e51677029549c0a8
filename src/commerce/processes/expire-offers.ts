import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { offerDecider } from '../domain/offer.js';
import { declareTimerQueue, type TimerContext, type TimerHandler } from './timers/timer-handler.js';

/** Ends an offer that was not accepted in time. */
@Injectable()
export class ExpireOffers implements TimerHandler {
  readonly kind = 'offer';
  readonly name = 'expire-offers';
  readonly queue = declareTimerQueue('offers');

  constructor(private readonly streams: Streams) {}

  async run(offerId: string, context: TimerContext): Promise<void> {
    await this.streams.execute(offerDecider, offerId, { type: 'ExpireOffer' }, context);
  }
}
