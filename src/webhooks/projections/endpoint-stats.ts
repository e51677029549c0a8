import type { Recorded } from '../../kernel/event.js';
import type { Changes, EventOf, Projection } from '../../kernel/projection.js';
import { failureClassOf, type FailureClass } from '../domain/answer.js';
import type { ChainEvent, EndOfAttempt, Ended } from '../domain/chain.js';
import { withDuration, type Durations } from '../domain/durations.js';

export type FailureCounts = Readonly<Record<Exclude<FailureClass, 'service'>, number>>;

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
  readonly durations: Durations;
  /** Test events, which count in no other field. */
  readonly tests: TestCounts;
}

export interface TestCounts {
  readonly attempts: number;
  readonly failures: number;
}

export const NO_FAILURES: FailureCounts = { client_error: 0, server_error: 0, timeout: 0, network: 0, blocked: 0 };

export const NO_TESTS: TestCounts = { attempts: 0, failures: 0 };

/** Groups attempts by the hour of their start. */
export const endpointStats: Projection<EndpointStatsDocument> = {
  name: 'endpointStats',
  version: 2,
  id: ({ data }: Recorded<string, Ended>) => `${data.endpointId}:${hourOf(data.startedAt)}`,
  indexes: [['endpoint_id', 'hour']],
  on: {
    AttemptSucceeded: (known, { data }: EventOf<ChainEvent, 'AttemptSucceeded'>) => {
      if (data.test) return oneTestMore(known, data, 0);
      const hour = oneMore(known, data);
      return { ...hour, successes: hour.successes + 1, durations: withDuration(hour.durations, data.durationMs) };
    },
    AttemptFailed: (known, { data }: EventOf<ChainEvent, 'AttemptFailed'>) => {
      if (data.test) return oneTestMore(known, data, 1);
      const hour = oneMore(known, data);
      const kind = failureClassOf(data.reason);
      const failures = kind === 'service' ? hour.failures : { ...hour.failures, [kind]: hour.failures[kind] + 1 };
      return { ...hour, failures, durations: withDuration(hour.durations, data.durationMs) };
    },
    AttemptLost: (known, { data }: EventOf<ChainEvent, 'AttemptLost'>) => (data.test ? oneTestMore(known, data, 1) : oneMore(known, data)),
  } satisfies Changes<EndpointStatsDocument, EndOfAttempt>,
};

export function hourOf(at: string): string {
  return `${at.slice(0, 13)}:00:00.000Z`;
}

function oneMore(known: EndpointStatsDocument | null, { endpointId, startedAt }: Ended): EndpointStatsDocument {
  const hour = known ?? begun(endpointId, hourOf(startedAt));
  return { ...hour, attempts: hour.attempts + 1 };
}

function oneTestMore(known: EndpointStatsDocument | null, { endpointId, startedAt }: Ended, failures: 0 | 1): EndpointStatsDocument {
  const hour = known ?? begun(endpointId, hourOf(startedAt));
  return { ...hour, tests: { attempts: hour.tests.attempts + 1, failures: hour.tests.failures + failures } };
}

function begun(endpointId: string, hour: string): EndpointStatsDocument {
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
