import { Injectable } from '@nestjs/common';
import { Streams } from '../engine/streams/streams.js';
import { BusinessClock } from '../kernel/business-clock.js';
import { Clock, Random, toIso } from '../kernel/clock.js';
import type { Context } from '../kernel/context.js';
import { EventStore } from '../kernel/event-store.js';
import type { Owner } from '../kernel/ownership.js';
import { testClockDecider } from './domain/test-clock.js';

/** Reads the test clocks of businesses from their streams. */
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

  /** Returns the time of a test clock that was set; null when the business uses real time. */
  async findFrozenTime({ business, mode }: Owner): Promise<string | null> {
    if (mode === 'live' || business === null) return null;
    return (await this.streams.loadState(testClockDecider, business)).now;
  }
}
