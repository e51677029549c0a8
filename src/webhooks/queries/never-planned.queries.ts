import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../engine/read-models/read-slices.js';
import { Streams } from '../../engine/streams/streams.js';
import { addMs, Clock, MAX_CLOCK_SKEW_MS } from '../../kernel/clock.js';
import type { ConsistencyContext, Context } from '../../kernel/context.js';
import { EventStore } from '../../kernel/event-store.js';
import { toOwnerFilter } from '../../kernel/ownership.js';
import { Rejection } from '../../kernel/rejection.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import type { KnownEndpoint } from '../domain/endpoint.js';
import { MAX_MATCHED, type ReplayWindow } from '../domain/replay-job.js';
import { expandEventTypes } from '../event-catalogue.js';
import { deliveries, filterByTest } from '../projections/deliveries.js';
import { type PublicEventDocument, publicEvents } from '../projections/public-events.js';
import { waitingChains } from '../projections/waiting-chains.js';

/** A slice is small enough to delay no other read. Between two slices, other reads run. */
const SLICE_SIZE = 500;
const PAUSE_MS = 1;
const SOURCES = [publicEvents, deliveries, waitingChains];

/** Returns the filter of the public events in the window that the endpoint subscribes to now. */
export function toEventFilter({ createdFrom, createdTo, eventTypes }: ReplayWindow, endpoint: KnownEndpoint) {
  return {
    ...toOwnerFilter(endpoint),
    type: { in: listSelectedTypes(eventTypes, endpoint) },
    occurred_at: { from: createdFrom, to: createdTo },
  };
}

function listSelectedTypes(eventTypes: readonly string[], { settings }: KnownEndpoint): readonly string[] {
  const subscribed = expandEventTypes(settings.eventTypes);
  if (eventTypes.length === 0) return subscribed;
  const asked = new Set(expandEventTypes(eventTypes));
  return subscribed.filter((type) => asked.has(type));
}

/** Counts the events that a job of the scope `never_planned` would deliver. */
@Injectable()
export class NeverPlannedEvents {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly streams: Streams,
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the counts by type. The indexes of the log's events count all of a type, however many there are; only the
   * endpoint's own deliveries are read, slice by slice. First attempts that are open may be counted.
   * @throws Rejection `window_too_large` when the endpoint has too many deliveries in the window
   */
  async count(window: ReplayWindow, endpoint: KnownEndpoint, { consistency }: Pick<Context, 'consistency'>) {
    const head = await this.store.readHead();
    await Promise.all(SOURCES.map((source) => this.reader.waitUntil(source, head)));
    const types = listSelectedTypes(window.eventTypes, endpoint);
    const counts = new Map<string, number>();
    for (const type of types) {
      const where = { ...toEventFilter(window, endpoint), type };
      counts.set(type, await this.reader.count(publicEvents, where, consistency));
    }
    for await (const planned of this.readPlanned(window, endpoint, consistency))
      for (const { type } of planned) if (counts.has(type)) counts.set(type, counts.get(type)! - 1);
    return counts;
  }

  /** Reads the events of the window that have a delivery to the endpoint, or a first attempt that waits. */
  private async *readPlanned(
    window: ReplayWindow,
    endpoint: KnownEndpoint,
    consistency: ConsistencyContext,
  ): AsyncIterable<readonly PublicEventDocument[]> {
    let read = 0;
    for await (const eventIds of this.readPlannedIds(window, endpoint, consistency)) {
      const events = [...(await this.reader.getExisting(publicEvents, eventIds)).values()];
      yield events.filter(({ occurred_at: at }) => at >= window.createdFrom && at <= window.createdTo);
      if ((read += eventIds.length) > MAX_MATCHED)
        throw new Rejection('window_too_large', `The endpoint has more than ${MAX_MATCHED} deliveries in the window.`);
      await this.clock.sleep(PAUSE_MS);
    }
  }

  private async *readPlannedIds(
    { createdFrom }: ReplayWindow,
    endpoint: KnownEndpoint,
    consistency: ConsistencyContext,
  ): AsyncIterable<readonly string[]> {
    const from = addMs(createdFrom, -MAX_CLOCK_SKEW_MS);
    const delivered = { ...toOwnerFilter(endpoint), 'endpoint.id': endpoint.id, created_at: { from } };
    const first = { where: { ...delivered, ...filterByTest(false), attempt: 1 }, limit: SLICE_SIZE };
    for await (const slice of readSlices(this.reader, deliveries, first, consistency))
      yield slice.map(({ event_id }) => event_id);
    const waiting = { where: { endpoint_id: endpoint.id }, orderBy: 'occurred_at', limit: SLICE_SIZE } as const;
    for await (const slice of readSlices(this.reader, waitingChains, waiting, consistency))
      yield await this.readFirstWaiting(slice.map(({ id }) => id));
  }

  private async readFirstWaiting(chainIds: readonly string[]): Promise<readonly string[]> {
    const chains = await Promise.all(chainIds.map((id) => this.streams.loadState(deliveryChainDecider, id)));
    return chains.flatMap((chain) => (chain.status === 'waiting' && chain.attempts === 0 ? [chain.facts.eventId] : []));
  }
}
