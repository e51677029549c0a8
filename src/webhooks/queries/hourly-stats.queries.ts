import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Clock, DAY_MS, toIso } from '../../kernel/clock.js';
import { dateTime, describe, type DocumentOf, list, object, resource } from '../../kernel/schema.js';
import { computePercentile } from '../domain/latency-histogram.js';
import { type EndpointStatsDocument, startOfHour, statsFields } from '../projections/endpoint-stats.js';
import { endpoints } from '../projections/endpoints.js';
import { EndpointHours } from './endpoint-hours.js';
import type { StatsSelection } from './endpoint-stats.queries.js';

const DEFAULT_DAYS = 7;
const MAX_DAYS = 31;

export const hourlyStatsSchema = resource('WebhookEndpointHourlyStats', {
  hours: describe(
    list(
      object({ hour: describe(dateTime, 'The start of the hour (UTC).', '2026-01-31T09:00:00.000Z'), ...statsFields }),
    ),
    'The hours in which attempts started, oldest first.',
  ),
});

export type HourlyStats = DocumentOf<typeof hourlyStatsSchema>;

/**
 * Retrieves the statistics of an endpoint hour by hour, from the hour of `since` on, and at most for the last 31 days.
 * The default is the last 7 days.
 */
export class RetrieveHourlyStats extends ContextQuery<StatsSelection, HourlyStats> {}

@QueryHandler(RetrieveHourlyStats)
export class RetrieveHourlyStatsHandler implements IQueryHandler<RetrieveHourlyStats> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly hours: EndpointHours,
    private readonly clock: Clock,
  ) {}

  async execute({ context, params: { endpointId, since } }: RetrieveHourlyStats): Promise<HourlyStats> {
    await this.reader.getOwned(endpoints, endpointId, context);
    const [earliest, fallback] = [MAX_DAYS, DEFAULT_DAYS].map((days) => toIso(this.clock.now() - days * DAY_MS));
    const from = since ?? fallback!;
    const hours = await this.hours.read(endpointId, startOfHour(from < earliest! ? earliest! : from), context);
    return { hours: hours.map(toHour) };
  }
}

function toHour({ hour, attempts, successes, durations }: EndpointStatsDocument): HourlyStats['hours'][number] {
  const duration_ms = { p50: computePercentile(durations, 0.5), p95: computePercentile(durations, 0.95) };
  return { hour, attempts, successes, duration_ms };
}
