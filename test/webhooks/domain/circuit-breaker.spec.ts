import type { RecordedEvent } from '../../../src/kernel/event.js';
import type { FailureReason } from '../../../src/webhooks/domain/attempt-result.js';
import {
  applyAttemptEnd,
  type CircuitBreaker,
  CLOSED,
  findOpenUntil,
} from '../../../src/webhooks/domain/circuit-breaker.js';
import { createAttempt, failed, lost, NOW, succeeded } from '../facts.js';
import { recordedFrom } from '../recorded-from.js';

const WAITS = [60, 120];
const LATER = '2026-02-01T09:05:00.000Z';

function failing(times: number, reason: FailureReason = 'server_error'): RecordedEvent[] {
  return Array.from({ length: times }, () => recordedFrom(failed(createAttempt(1), { reason })));
}

function applyAll(...ends: readonly RecordedEvent[]): CircuitBreaker {
  return ends.reduce(applyAttemptEnd, CLOSED);
}

describe('The circuit breaker of an endpoint', () => {
  it('opens at the tenth consecutive retryable failure', () => {
    expect(applyAll(...failing(9))).toEqual({ failures_in_row: 9, trips: 0, tripped_at: null });
    expect(applyAll(...failing(10))).toEqual({ failures_in_row: 10, trips: 1, tripped_at: NOW });
  });

  it.each([
    ['a success', recordedFrom(succeeded(createAttempt(1)))],
    [
      'a 4xx, which shows that the receiver is reachable',
      recordedFrom(failed(createAttempt(1), { reason: 'client_error' })),
    ],
  ])('is closed by %s', (_, end) => expect(applyAll(...failing(12), end)).toEqual(CLOSED));

  it.each([
    ['a lost attempt', recordedFrom(lost(createAttempt(1), null))],
    ['a failure of the service', recordedFrom(failed(createAttempt(1), { reason: 'service_failure' }))],
  ])('ignores %s', (_, end) => expect(applyAll(...failing(9), end)).toEqual(applyAll(...failing(9))));

  it('opens again when the half-open attempt fails', () => {
    const probe = recordedFrom(failed(createAttempt(1, { startedAt: LATER })), LATER);
    expect(applyAll(...failing(10), probe)).toEqual({ failures_in_row: 11, trips: 2, tripped_at: LATER });
  });

  it.each([
    ['an attempt that started before the opening', createAttempt(1)],
    ['a retry', createAttempt(2, { startedAt: LATER })],
  ])('does not open again after the failure of %s', (_, attempt) =>
    expect(applyAll(...failing(10), recordedFrom(failed(attempt), LATER))).toEqual({
      failures_in_row: 11,
      trips: 1,
      tripped_at: NOW,
    }),
  );

  it('stays open longer after each opening, up to the last configured time', () => {
    const waitAfterTrips = (trips: number) =>
      findOpenUntil({ failures_in_row: 10, trips, tripped_at: NOW }, WAITS)! - Date.parse(NOW);
    expect([waitAfterTrips(1), waitAfterTrips(2), waitAfterTrips(3)]).toEqual([60_000, 120_000, 120_000]);
    expect(findOpenUntil(CLOSED, WAITS)).toBeNull();
  });
});
