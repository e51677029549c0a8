import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Clock, DAY_MS, toIso } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { dateTime, describe, type DocumentOf, nullable, resource } from '../../kernel/schema.js';
import { computePercentile, mergeHistograms } from '../domain/latency-histogram.js';
import {
  type EndpointStatsDocument,
  type FailureCounts,
  failureCountsSchema,
  NO_FAILURES,
  NO_TESTS,
  startOfHour,
  statsFields,
  type TestCounts,
  testCountsSchema,
} from '../projections/endpoint-stats.js';
import { endpoints } from '../projections/endpoints.js';
import { waitingChains } from '../projections/waiting-chains.js';
import { EndpointHours } from './endpoint-hours.js';

const DEFAULT_DAYS = 30;

export const endpointStatsSchema = resource('WebhookEndpointStats', {
  ...statsFields,
  failures: describe(failureCountsSchema, 'The number of failed attempts, by kind of failure.'),
  oldest_waiting_at: describe(
    nullable(dateTime),
    'The time of the oldest event that waits for an automatic attempt; null when none waits.',
  ),
  tests: describe(testCountsSchema, 'The test events, which count in no other field.'),
});

export type EndpointStats = DocumentOf<typeof endpointStatsSchema>;

export interface StatsSelection {
  readonly endpointId: string;
  readonly since: string | null;
}

/** Retrieves the statistics of an endpoint from the hour of `since` on. The default is the last 30 days. */
export class RetrieveEndpointStats extends ContextQuery<StatsSelection, EndpointStats> {}

@QueryHandler(RetrieveEndpointStats)
export class RetrieveEndpointStatsHandler implements IQueryHandler<RetrieveEndpointStats> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly hours: EndpointHours,
    private readonly clock: Clock,
  ) {}

  async execute({ context, params: { endpointId, since } }: RetrieveEndpointStats): Promise<EndpointStats> {
    await this.reader.getOwned(endpoints, endpointId, context);
    const from = startOfHour(since ?? toIso(this.clock.now() - DEFAULT_DAYS * DAY_MS));
    const [hours, oldest] = await Promise.all([
      this.hours.read(endpointId, from, context),
      this.findOldestWaiting(endpointId, context),
    ]);
    return { ...sumHours(hours), oldest_waiting_at: oldest };
  }

  private async findOldestWaiting(endpointId: string, { consistency: progress }: Context): Promise<string | null> {
    const request = {
      where: { endpoint_id: endpointId },
      orderBy: 'occurred_at',
      ascending: true,
      limit: 1,
      after: null,
    } as const;
    const [oldest] = (await this.reader.getSlice(waitingChains, request, progress)).data;
    return oldest?.occurred_at ?? null;
  }
}

function sumHours(hours: readonly EndpointStatsDocument[]): Omit<EndpointStats, 'oldest_waiting_at'> {
  const durations = mergeHistograms(hours.map((hour) => hour.durations));
  return {
    attempts: hours.reduce((total, { attempts }) => total + attempts, 0),
    successes: hours.reduce((total, { successes }) => total + successes, 0),
    failures: hours.map(({ failures }) => failures).reduce(addCounts, NO_FAILURES),
    duration_ms: { p50: computePercentile(durations, 0.5), p95: computePercentile(durations, 0.95) },
    tests: hours.map(({ tests }) => tests).reduce(addTests, NO_TESTS),
  };
}

function addCounts(a: FailureCounts, b: FailureCounts): FailureCounts {
  const kinds = Object.keys(NO_FAILURES) as (keyof FailureCounts)[];
  return Object.fromEntries(kinds.map((kind) => [kind, a[kind] + b[kind]])) as FailureCounts;
}

function addTests(a: TestCounts, b: TestCounts): TestCounts {
  return { attempts: a.attempts + b.attempts, failures: a.failures + b.failures };
}
