import { Injectable } from '@nestjs/common';
import { Streams } from '../engine/streams/streams.js';
import { BusinessClock } from '../kernel/business-clock.js';
import { Clock, Random, toIso } from '../kernel/clock.js';
import type { Context } from '../kernel/context.js';
import { EventStore } from '../kernel/event-store.js';
import type { Owner } from '../kernel/ownership.js';
import { type TestClock, testClockDecider } from './domain/test-clock.js';

@Injectable()
export class TestClocks extends BusinessClock {
  /** Its own, because the application's Streams ask this class for the time. */
  private readonly streams: Streams;

  constructor(
    store: EventStore,
    private readonly clock: Clock,
    random: Random,
  ) {
    super();
    this.streams = new Streams(store, clock, random);
  }

  async now(context: Pick<Context, 'business' | 'mode' | 'now'>): Promise<string> {
    return context.now ?? (await this.findFrozenTime(context)) ?? toIso(this.clock.now());
  }

  /**
   * Returns the time of a test clock that was set, which is how far it has come while it advances; null when the business
   * uses real time.
   */
  async findFrozenTime({ business, mode }: Owner): Promise<string | null> {
    return mode === 'live' || business === null ? null : (await this.read(business)).now;
  }

  read(businessId: string): Promise<TestClock> {
    return this.streams.loadState(testClockDecider, businessId);
  }
}
