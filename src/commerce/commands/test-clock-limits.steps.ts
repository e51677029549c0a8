import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../engine/read-models/read-slices.js';
import { Streams } from '../../engine/streams/streams.js';
import { addMs, Clock, DAY_MS } from '../../kernel/clock.js';
import { ConsistencyContext } from '../../kernel/context.js';
import { EventStore } from '../../kernel/event-store.js';
import { findRenewal } from '../domain/renewal-times.js';
import { subscriptionDecider } from '../domain/subscription.js';
import { findLatestClockTime } from '../domain/test-clock.js';
import { type TimerDocument, timers } from '../projections/timers.js';
import { TestClocks } from '../test-clocks.js';

/** The most renewals of one subscription that one step of a clock may run. */
const MAX_RENEWALS = 1_000;
/** The shortest interval is a day: a shorter step runs fewer renewals. */
const SHORTEST_LIMIT_MS = (MAX_RENEWALS - 1) * DAY_MS;
const PAGE = 100;

@Injectable()
export class TestClockLimits {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly store: EventStore,
    private readonly streams: Streams,
    private readonly clocks: TestClocks,
    private readonly clock: Clock,
  ) {}

  /** Returns the latest time to which the clock may be set, when it is set to `wanted`. */
  async findLatest(businessId: string, wanted: string): Promise<string> {
    const latest = findLatestClockTime(this.clock.now());
    if (wanted > latest) return latest;
    const { now } = await this.clocks.read(businessId);
    if (Date.parse(wanted) - (now === null ? this.clock.now() : Date.parse(now)) <= SHORTEST_LIMIT_MS) return latest;
    return this.findLimitOfSubscriptions(businessId, wanted, latest);
  }

  /** Reads the timers until the wanted time, each of which runs at least once when the clock is set. */
  private async findLimitOfSubscriptions(businessId: string, wanted: string, latest: string): Promise<string> {
    await this.reader.requirePosition(timers, await this.store.readHead());
    const where = { _business: businessId, _mode: 'test', due: { to: wanted } };
    const request = { where, limit: PAGE, orderBy: 'due', ascending: true } as const;
    let limit = latest;
    for await (const slice of readSlices(this.reader, timers, request, new ConsistencyContext())) {
      const limits = await Promise.all(slice.map((timer) => this.findLimit(timer, limit)));
      limit = limits.reduce((first, one) => (one < first ? one : first), limit);
    }
    return limit;
  }

  /** Returns the last millisecond before the renewal that is one too many. */
  private async findLimit({ kind, nounId, due }: TimerDocument, latest: string): Promise<string> {
    if (kind !== 'renewal' && kind !== 'resumption') return latest;
    const subscription = await this.streams.loadState(subscriptionDecider, nounId);
    if (subscription.status === 'unknown') return latest;
    const excess = findRenewal(subscription, due, MAX_RENEWALS + 1, latest);
    return excess === null ? latest : addMs(excess, -1);
  }
}
