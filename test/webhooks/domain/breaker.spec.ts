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

describe('The breaker of an endpoint', () => {
  it('trips at the tenth retryable failure in a row', () => {
    expect(after(...failing(9))).toEqual({ failures_in_row: 9, trips: 0, tripped_at: null });
    expect(after(...failing(10))).toEqual({ failures_in_row: 10, trips: 1, tripped_at: NOW });
  });

  it.each([
    ['a success', ended(succeeded(attemptOf(1)))],
    ['a refusal, since the receiver is there', ended(failed(attemptOf(1), { reason: 'client_error' }))],
  ])('is closed by %s', (_, end) => expect(after(...failing(12), end)).toEqual(CLOSED));

  it.each([
    ['lost', ended(lost(attemptOf(1), null))],
    ['our own failure', ended(failed(attemptOf(1), { reason: 'service_failure' }))],
  ])('learns nothing of an attempt that is %s', (_, end) => expect(after(...failing(9), end)).toEqual(after(...failing(9))));

  it('trips again when the first attempt that was let through has failed', () => {
    const probe = ended(failed(attemptOf(1, { startedAt: LATER })), LATER);
    expect(after(...failing(10), probe)).toEqual({ failures_in_row: 11, trips: 2, tripped_at: LATER });
  });

  it.each([
    ['that was under way', attemptOf(1)],
    ['that is a retry', attemptOf(2, { startedAt: LATER })],
  ])('is not put off by a failure of one %s', (_, attempt) =>
    expect(after(...failing(10), ended(failed(attempt), LATER))).toEqual({ failures_in_row: 11, trips: 1, tripped_at: NOW }),
  );

  it('waits longer each time, up to the last of the waits', () => {
    const held = (trips: number) => heldUntil({ failures_in_row: 10, trips, tripped_at: NOW }, WAITS)! - Date.parse(NOW);
    expect([held(1), held(2), held(3)]).toEqual([60_000, 120_000, 120_000]);
    expect(heldUntil(CLOSED, WAITS)).toBeNull();
  });
});
