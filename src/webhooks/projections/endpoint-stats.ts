import type { Projection } from '../../kernel/projection.js';
import { describe, integer, nullable, object, type ValueOf } from '../../kernel/schema.js';
import { classifyFailure } from '../domain/attempt-result.js';
import type { AttemptEndEvent, EndedAttempt } from '../domain/delivery-chain/facts.js';
import { addLatency, type LatencyHistogram } from '../domain/latency-histogram.js';

export const failureCountsSchema = object({
  client_error: describe(integer, 'The number of responses with a 4xx.'),
  server_error: describe(integer, 'The number of responses with any other status than 2xx or 4xx.'),
  timeout: describe(integer, 'The number of attempts without a connection or a response in time.'),
  network: describe(integer, 'The number of attempts without a usable response for another reason.'),
  blocked: describe(
    integer,
    'The number of attempts that were blocked because the host has an address that is not public.',
  ),
});

export type FailureCounts = ValueOf<typeof failureCountsSchema>;

export const testCountsSchema = object({
  attempts: describe(integer, 'The number of attempts to send a test event.'),
  failures: describe(integer, 'The number of these attempts without a 2xx.'),
});

export type TestCounts = ValueOf<typeof testCountsSchema>;

/** The fields that all statistics share. */
export const statsFields = {
  attempts: describe(
    integer,
    'The number of attempts that have ended. Those that the service could not send or lost count only here.',
    42,
  ),
  successes: describe(integer, 'The number of attempts with a 2xx.', 40),
  duration_ms: describe(
    object({
      p50: describe(
        nullable(integer),
        'The duration that half of the attempts do not exceed; null without attempts.',
        120,
      ),
      p95: describe(
        nullable(integer),
        'The duration that 95 % of the attempts do not exceed; null without attempts.',
        480,
      ),
    }),
    'How long the attempts took, in ms, exact to 5 %.',
  ),
};

/**
 * The deliveries of an endpoint in one hour. Attempts that the service lost or could not send count as attempts, but
 * not as failures.
 */
export interface EndpointStatsDocument {
  readonly id: string;
  readonly endpoint_id: string;
  readonly hour: string;
  readonly attempts: number;
  readonly successes: number;
  readonly failures: FailureCounts;
  readonly durations: LatencyHistogram;
  /** Test events, which count in no other field. */
  readonly tests: TestCounts;
}

export const NO_FAILURES: FailureCounts = { client_error: 0, server_error: 0, timeout: 0, network: 0, blocked: 0 };

export const NO_TESTS: TestCounts = { attempts: 0, failures: 0 };

/** Groups attempts by the hour of their start. */
export const endpointStats: Projection<EndpointStatsDocument, AttemptEndEvent> = {
  name: 'endpointStats',
  version: 2,
  id: ({ data }) => `${data.endpointId}:${startOfHour(data.startedAt)}`,
  indexes: [['endpoint_id', 'hour']],
  on: {
    AttemptSucceeded: (known, { data }) => {
      if (data.test) return countTest(known, data, 0);
      const hour = countAttempt(known, data);
      return { ...hour, successes: hour.successes + 1, durations: addLatency(hour.durations, data.durationMs) };
    },
    AttemptFailed: (known, { data }) => {
      if (data.test) return countTest(known, data, 1);
      const hour = countAttempt(known, data);
      const kind = classifyFailure(data.reason);
      const failures = kind === 'service' ? hour.failures : { ...hour.failures, [kind]: hour.failures[kind] + 1 };
      return { ...hour, failures, durations: addLatency(hour.durations, data.durationMs) };
    },
    AttemptLost: (known, { data }) => (data.test ? countTest(known, data, 1) : countAttempt(known, data)),
  },
};

export function startOfHour(at: string): string {
  return `${at.slice(0, 13)}:00:00.000Z`;
}

function countAttempt(
  known: EndpointStatsDocument | null,
  { endpointId, startedAt }: EndedAttempt,
): EndpointStatsDocument {
  const hour = known ?? createHour(endpointId, startOfHour(startedAt));
  return { ...hour, attempts: hour.attempts + 1 };
}

function countTest(
  known: EndpointStatsDocument | null,
  { endpointId, startedAt }: EndedAttempt,
  failures: 0 | 1,
): EndpointStatsDocument {
  const hour = known ?? createHour(endpointId, startOfHour(startedAt));
  return { ...hour, tests: { attempts: hour.tests.attempts + 1, failures: hour.tests.failures + failures } };
}

function createHour(endpointId: string, hour: string): EndpointStatsDocument {
  return {
    id: `${endpointId}:${hour}`,
    endpoint_id: endpointId,
    hour,
    attempts: 0,
    successes: 0,
    failures: NO_FAILURES,
    durations: {},
    tests: NO_TESTS,
  };
}
