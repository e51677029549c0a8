import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Views, type SliceOf } from '../../engine/reading/views.js';
import { Clock, DAY_MS, iso } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { own } from '../../kernel/ownership.js';
import { percentile, together } from '../domain/durations.js';
import { endpoints } from './endpoints.js';
import {
  endpointStats,
  hourOf,
  NO_FAILURES,
  NO_TESTS,
  type EndpointStatsDocument,
  type FailureCounts,
  type TestCounts,
} from './endpoint-stats.js';
import { waitingChains } from './waiting-chains.js';

const USUAL_DAYS = 30;
const HOURS_AT_ONCE = 500;

export interface EndpointStats {
  readonly attempts: number;
  readonly successes: number;
  readonly failures: FailureCounts;
  readonly duration_ms: { readonly p50: number | null; readonly p95: number | null };
  /** The time of the oldest event that waits for an automatic attempt. */
  readonly oldest_waiting_at: string | null;
  /** Test events, which count in no other field. */
  readonly tests: TestCounts;
}

/** Retrieves the statistics of an endpoint from the hour of `since` on. The default is the last 30 days. */
export class RetrieveEndpointStats extends Query<EndpointStats> {
  constructor(
    readonly context: Context,
    readonly endpointId: string,
    readonly since: string | null,
  ) {
    super();
  }
}

@QueryHandler(RetrieveEndpointStats)
export class RetrieveEndpointStatsHandler implements IQueryHandler<RetrieveEndpointStats> {
  constructor(
    private readonly views: Views,
    private readonly clock: Clock,
  ) {}

  async execute({ context, endpointId, since }: RetrieveEndpointStats): Promise<EndpointStats> {
    own(await this.views.get(endpoints, endpointId, context.progress), context);
    const from = hourOf(since ?? iso(this.clock.now() - USUAL_DAYS * DAY_MS));
    const [hours, oldest] = await Promise.all([this.hoursOf(endpointId, from, context), this.oldestWaiting(endpointId, context)]);
    return { ...summed(hours), oldest_waiting_at: oldest };
  }

  private async hoursOf(endpointId: string, from: string, { progress }: Context): Promise<EndpointStatsDocument[]> {
    const where = { endpoint_id: endpointId, hour: { from } };
    const hours: EndpointStatsDocument[] = [];
    for (let after: string | null = null, more = true; more;) {
      const request = { where, orderBy: 'hour', limit: HOURS_AT_ONCE, after };
      const slice: SliceOf<EndpointStatsDocument> = await this.views.slice(endpointStats, request, progress);
      hours.push(...slice.data);
      ({ next_cursor: after, has_more: more } = slice.pagination);
    }
    return hours;
  }

  private async oldestWaiting(endpointId: string, { progress }: Context): Promise<string | null> {
    const request = { where: { endpoint_id: endpointId }, orderBy: 'occurred_at', ascending: true, limit: 1, after: null };
    const [oldest] = (await this.views.slice(waitingChains, request, progress)).data;
    return oldest?.occurred_at ?? null;
  }
}

function summed(hours: readonly EndpointStatsDocument[]): Omit<EndpointStats, 'oldest_waiting_at'> {
  const durations = together(hours.map((hour) => hour.durations));
  return {
    attempts: hours.reduce((total, { attempts }) => total + attempts, 0),
    successes: hours.reduce((total, { successes }) => total + successes, 0),
    failures: hours.map(({ failures }) => failures).reduce(bothCounts, NO_FAILURES),
    duration_ms: { p50: percentile(durations, 0.5), p95: percentile(durations, 0.95) },
    tests: hours.map(({ tests }) => tests).reduce(bothTests, NO_TESTS),
  };
}

function bothCounts(a: FailureCounts, b: FailureCounts): FailureCounts {
  const kinds = Object.keys(NO_FAILURES) as (keyof FailureCounts)[];
  return Object.fromEntries(kinds.map((kind) => [kind, a[kind] + b[kind]])) as FailureCounts;
}

function bothTests(a: TestCounts, b: TestCounts): TestCounts {
  return { attempts: a.attempts + b.attempts, failures: a.failures + b.failures };
}
