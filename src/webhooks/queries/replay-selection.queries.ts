import { Injectable } from '@nestjs/common';
import { KeyedMutex } from '../../engine/keyed-mutex.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../engine/read-models/read-slices.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { EventStore } from '../../kernel/event-store.js';
import { toOwnerFilter } from '../../kernel/ownership.js';
import type { Position } from '../../kernel/position.js';
import type { WhereOf } from '../../kernel/read-models.js';
import { Rejection } from '../../kernel/rejection.js';
import type { EndpointState, SkipReason } from '../domain/delivery-chain/facts.js';
import { findSkipReason } from '../domain/delivery-chain/replay-hold.js';
import { deliveryIdOf, extractChainId } from '../domain/delivery-id.js';
import { endpointDecider, toEndpointState } from '../domain/endpoint.js';
import { MAX_MATCHED, type ReplayWindow } from '../domain/replay-job.js';
import { expandEventTypes } from '../event-catalogue.js';
import { deliveries, type DeliveryDocument, filterByTest } from '../projections/deliveries.js';
import { type UndeliveredChainDocument, undeliveredChains } from '../projections/undelivered-chains.js';

/** A slice is small enough to delay no other read. Between two slices, other reads run. */
const SLICE_SIZE = 500;
const PAUSE_MS = 1;
const SOURCES = [undeliveredChains, deliveries];

/** A chain with its latest record; attempt 0 without one. */
export type SelectableChain = Pick<
  UndeliveredChainDocument,
  'id' | 'endpoint_id' | 'event_type' | 'attempt' | 'max_attempts'
>;

type Owner = Pick<Context, 'business' | 'mode' | 'consistency'>;

/** Selects the chains of a replay window. */
@Injectable()
export class ReplaySelection {
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly reader: ReadModelReader,
    private readonly streams: Streams,
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts the deliveries that a job would match now; the latest ones may be missing. A business has one count at a
   * time, which limits the cost.
   * @param each receives the chains, some hundred at a time
   * @throws Rejection `window_too_large`
   */
  preview(
    window: ReplayWindow,
    owner: Owner,
    each: (found: readonly SelectableChain[]) => Promise<void> = ignore,
  ): Promise<number> {
    return this.mutex.run(`${owner.business}-${owner.mode}`, async () => {
      const head = await this.store.readHead();
      await Promise.all(SOURCES.map((source) => this.reader.waitUntil(source, head)));
      let matched = 0;
      for await (const found of this.readSlices(window, owner)) {
        matched += found.length;
        if (matched > MAX_MATCHED)
          throw new Rejection('window_too_large', `The window matches more than ${MAX_MATCHED} deliveries.`);
        await each(found);
      }
      return matched;
    });
  }

  /** Selects from all events up to `position`. Returns more than `MAX_MATCHED` chains when there are too many. */
  async selectAt(position: Position, window: ReplayWindow, owner: Owner): Promise<readonly SelectableChain[]> {
    await this.reader.requirePosition(undeliveredChains, position);
    await this.reader.requirePosition(deliveries, position);
    const all: SelectableChain[] = [];
    for await (const found of this.readSlices(window, owner)) {
      all.push(...found);
      if (all.length > MAX_MATCHED) break;
    }
    return all;
  }

  /** Returns for each chain the reason why a job would skip it now, or null. */
  async findSkipReasons(found: readonly SelectableChain[]): Promise<readonly (SkipReason | null)[]> {
    const ids = [...new Set(found.map(({ endpoint_id }) => endpoint_id))];
    const states = new Map(await Promise.all(ids.map(async (id) => [id, await this.readEndpointState(id)] as const)));
    return found.map(({ attempt: attempts, max_attempts: maxAttempts, endpoint_id }) =>
      findSkipReason({ attempts, maxAttempts }, states.get(endpoint_id)!),
    );
  }

  private async *readSlices(window: ReplayWindow, owner: Owner): AsyncIterable<readonly SelectableChain[]> {
    const { scope, includeMissed } = window;
    if (scope === 'failed' || includeMissed) yield* this.readUndelivered(window, owner);
    if (scope !== 'failed') yield* this.readDelivered(window, owner);
  }

  private async *readUndelivered(window: ReplayWindow, owner: Owner): AsyncIterable<readonly SelectableChain[]> {
    const request = { where: toUndeliveredFilter(window, owner), orderBy: 'at', limit: SLICE_SIZE } as const;
    yield* this.pause(readSlices(this.reader, undeliveredChains, request, owner.consistency));
  }

  /** Reads the latest record of each chain. */
  private async *readDelivered(window: ReplayWindow, owner: Owner): AsyncIterable<readonly SelectableChain[]> {
    const request = { where: toDeliveryFilter(window, owner), limit: SLICE_SIZE };
    for await (const slice of this.pause(readSlices(this.reader, deliveries, request, owner.consistency))) {
      const chains = slice.map(toChain);
      const nextOf = ({ id, attempt }: SelectableChain) => deliveryIdOf(id, attempt + 1);
      const later = await this.reader.getExisting(deliveries, chains.map(nextOf));
      yield chains.filter((chain) => !later.has(nextOf(chain)));
    }
  }

  /** Lets other reads run between two slices. */
  private async *pause<D>(slices: AsyncIterable<readonly D[]>): AsyncIterable<readonly D[]> {
    for await (const slice of slices) {
      yield slice;
      await this.clock.sleep(PAUSE_MS);
    }
  }

  private async readEndpointState(endpointId: string): Promise<EndpointState> {
    return toEndpointState(await this.streams.loadState(endpointDecider, endpointId));
  }
}

async function ignore(): Promise<void> {}

function toUndeliveredFilter(
  { createdFrom, createdTo, endpointId, eventTypes, statuses, includeMissed }: ReplayWindow,
  owner: Owner,
): WhereOf<UndeliveredChainDocument> {
  return {
    ...toOwnerFilter(owner),
    ...(endpointId !== null && { endpoint_id: endpointId }),
    ...toTypeFilter(eventTypes),
    status: { in: includeMissed ? [...statuses, 'missed'] : statuses },
    at: { from: createdFrom, to: createdTo },
  };
}

function toDeliveryFilter(
  { scope, createdFrom, createdTo, endpointId, eventTypes }: ReplayWindow,
  owner: Owner,
): WhereOf<DeliveryDocument> {
  return {
    ...toOwnerFilter(owner),
    ...filterByTest(false),
    ...(endpointId !== null && { 'endpoint.id': endpointId }),
    ...toTypeFilter(eventTypes),
    ...(scope === 'succeeded' && { status: 'success' }),
    created_at: { from: createdFrom, to: createdTo },
  };
}

function toTypeFilter(eventTypes: readonly string[]) {
  return eventTypes.length > 0 ? { event_type: { in: expandEventTypes(eventTypes) } } : {};
}

function toChain({ id, endpoint, event_type, attempt, max_attempts }: DeliveryDocument): SelectableChain {
  return { id: extractChainId(id), endpoint_id: endpoint.id, event_type, attempt, max_attempts };
}
