import { Injectable } from '@nestjs/common';
import { Lanes } from '../../engine/streams/lanes.js';
import { Streams } from '../../engine/streams/streams.js';
import { Views, type SliceOf } from '../../engine/reading/views.js';
import { Clock, iso } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { EventStore } from '../../kernel/event-store.js';
import { ownedBy } from '../../kernel/ownership.js';
import type { Position } from '../../kernel/position.js';
import type { Where } from '../../kernel/read-models.js';
import { Rejection } from '../../kernel/rejection.js';
import { endpoint, targetOf } from '../domain/endpoint.js';
import { reasonToSkip, type SkipReason } from '../domain/holding.js';
import { MAX_MATCHED, type ReplayWindow } from '../domain/replay-job.js';
import type { Target } from '../domain/target.js';
import { chains, type ChainDocument } from './chains.js';

/** A slice is small enough to delay no other read. Between two slices, other reads run. */
const SLICE = 500;
const PAUSE_MS = 1;

type Owner = Pick<Context, 'business' | 'mode' | 'progress'>;

/** Selects the chains of a replay window. */
@Injectable()
export class ReplaySelection {
  private readonly lanes = new Lanes();

  constructor(
    private readonly views: Views,
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
  preview(window: ReplayWindow, owner: Owner, each: (found: readonly ChainDocument[]) => Promise<void> = ignore): Promise<number> {
    return this.lanes.run(`${owner.business}-${owner.mode}`, async () => {
      await this.views.settled(chains, await this.store.head());
      let matched = 0;
      for await (const found of this.slices(window, owner)) {
        matched += found.length;
        if (matched > MAX_MATCHED) throw new Rejection('window_too_large', `The window matches more than ${MAX_MATCHED} deliveries.`);
        await each(found);
      }
      return matched;
    });
  }

  /** Selects from all events up to `position`. Returns more than `MAX_MATCHED` chains when there are too many. */
  async at(position: Position, window: ReplayWindow, owner: Owner): Promise<readonly ChainDocument[]> {
    await this.views.mustReach(chains, position);
    const all: ChainDocument[] = [];
    for await (const found of this.slices(window, owner)) {
      all.push(...found);
      if (all.length > MAX_MATCHED) break;
    }
    return all;
  }

  /** Returns for each chain the reason why a job would skip it now, or null. */
  async reasonsToSkip(found: readonly ChainDocument[]): Promise<readonly (SkipReason | null)[]> {
    const ids = [...new Set(found.map(({ endpoint_id }) => endpoint_id))];
    const targets = new Map(await Promise.all(ids.map(async (id) => [id, await this.targetOf(id)] as const)));
    const now = iso(this.clock.now());
    return found.map(({ occurred_at: occurredAt, attempt: attempts, max_attempts: maxAttempts, endpoint_id }) =>
      reasonToSkip({ occurredAt, attempts, maxAttempts }, targets.get(endpoint_id)!, now),
    );
  }

  private async *slices(window: ReplayWindow, owner: Owner): AsyncIterable<readonly ChainDocument[]> {
    for (let after: string | null = null, more = true; more;) {
      const request = { where: whereOf(window, owner), orderBy: 'at', limit: SLICE, after };
      const slice: SliceOf<ChainDocument> = await this.views.slice(chains, request, owner.progress);
      yield slice.data;
      ({ next_cursor: after, has_more: more } = slice.pagination);
      if (more) await this.clock.sleep(PAUSE_MS);
    }
  }

  private async targetOf(endpointId: string): Promise<Target> {
    return targetOf(await this.streams.state(endpoint, endpointId));
  }
}

async function ignore(): Promise<void> {}

function whereOf({ createdFrom, createdTo, endpointId, eventTypes, statuses, includeMissed }: ReplayWindow, owner: Owner): Where {
  return {
    ...ownedBy(owner),
    ...(endpointId !== null && { endpoint_id: endpointId }),
    ...(eventTypes.length > 0 && { event_type: { in: eventTypes } }),
    status: { in: includeMissed ? [...statuses, 'missed'] : statuses },
    at: { from: createdFrom, to: createdTo },
  };
}
