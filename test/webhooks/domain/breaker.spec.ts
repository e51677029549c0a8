import { breakerAfter, CLOSED, heldUntil, type Breaker } from '../../../src/webhooks/domain/breaker.js';
import type { FailureReason } from '../../../src/webhooks/domain/answer.js';
import type { Recorded } from '../../../src/kernel/event.js';
import { attemptOf, failed, lost, NOW, succeeded } from '../facts.js';
import { ended } from '../ended.js';

const WAITS = [60, 120];
const LATER = '2026-02-01T09:05:00.000Z';

function failing(times: number, reason: FailureReason = 'server_error'): Recorded[] {
  return Array.from({ length: times }, () => ended(failed(attemptOf(1), { reason })));
}

function after(...ends: readonly Recorded[]): Breaker {
  return ends.reduce(breakerAfter, CLOSED);
}

describe('The circuit breaker of an endpoint', () => {
  it('opens at the tenth consecutive retryable failure', () => {
    expect(after(...failing(9))).toEqual({ failures_in_row: 9, trips: 0, tripped_at: null });
    expect(after(...failing(10))).toEqual({ failures_in_row: 10, trips: 1, tripped_at: NOW });
  });

  it.each([
    ['a success', ended(succeeded(attemptOf(1)))],
    ['a 4xx, which shows that the receiver is reachable', ended(failed(attemptOf(1), { reason: 'client_error' }))],
  ])('is closed by %s', (_, end) => expect(after(...failing(12), end)).toEqual(CLOSED));

  it.each([
    ['a lost attempt', ended(lost(attemptOf(1), null))],
    ['a failure of the service', ended(failed(attemptOf(1), { reason: 'service_failure' }))],
  ])('ignores %s', (_, end) => expect(after(...failing(9), end)).toEqual(after(...failing(9))));

  it('opens again when the half-open attempt fails', () => {
    const probe = ended(failed(attemptOf(1, { startedAt: LATER })), LATER);
    expect(after(...failing(10), probe)).toEqual({ failures_in_row: 11, trips: 2, tripped_at: LATER });
  });

  it.each([
    ['an attempt that started before the opening', attemptOf(1)],
    ['a retry', attemptOf(2, { startedAt: LATER })],
  ])('does not open again after the failure of %s', (_, attempt) =>
    expect(after(...failing(10), ended(failed(attempt), LATER))).toEqual({ failures_in_row: 11, trips: 1, tripped_at: NOW }),
  );

  it('stays open longer after each opening, up to the last configured time', () => {
    const held = (trips: number) => heldUntil({ failures_in_row: 10, trips, tripped_at: NOW }, WAITS)! - Date.parse(NOW);
    expect([held(1), held(2), held(3)]).toEqual([60_000, 120_000, 120_000]);
    expect(heldUntil(CLOSED, WAITS)).toBeNull();
  });
});
