import { deliveryChainDecider } from '../../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import type { DeliveryChainCommand, DeliveryChainEvent } from '../../../../src/webhooks/domain/delivery-chain/facts.js';
import { given } from '../../../support/given.js';
import {
  CHAIN,
  createAttempt,
  DELETED,
  DISABLED,
  ENABLED,
  failed,
  firstStarted,
  loseAttempt,
  lost,
  NOW,
  planned,
  recordResult,
  SOON,
  start,
  started,
  succeeded,
} from '../../facts.js';

const first = createAttempt(1);

describe('A replay', () => {
  const replay: DeliveryChainCommand = { type: 'Replay', attempt: 1, endpointState: ENABLED, leaseMs: 30_000 };
  const second = createAttempt(2, { kind: 'replay', replayedFrom: first.deliveryId });
  const ended = [planned, started(first), failed(first, { reason: 'client_error', responseStatus: 400 })];
  const waiting = [planned, started(first), failed(first, { nextAttemptAt: SOON })];

  it('starts a new attempt that names the replayed record', () =>
    given(deliveryChainDecider, ...ended)
      .when(replay)
      .then(started(second)));

  it('is possible after a success', () =>
    given(deliveryChainDecider, planned, started(first), succeeded(first)).when(replay).then(started(second)));

  it('is not followed by an automatic attempt', () =>
    given(deliveryChainDecider, ...ended, started(second))
      .when(recordResult(2, 503))
      .then(failed(second)));

  it('keeps the due time of a waiting retry', () =>
    given(deliveryChainDecider, ...waiting, started(second))
      .when(recordResult(2, 503))
      .then(failed(second, { nextAttemptAt: SOON })));

  it('cancels a waiting retry when it gets a 4xx', () =>
    given(deliveryChainDecider, ...waiting, started(second))
      .when(recordResult(2, 410))
      .then(failed(second, { reason: 'client_error', responseStatus: 410 })));

  it('cancels a waiting retry when it gets a 2xx', () =>
    given(deliveryChainDecider, ...waiting, started(second), succeeded(second))
      .when(start, { now: SOON })
      .thenNothing());

  it('prevents the start of a waiting retry while it is open', () =>
    given(deliveryChainDecider, ...waiting, started(second))
      .when(start, { now: SOON })
      .thenNothing());

  it('is lost when its lease has expired, and keeps the waiting retry', () =>
    given(deliveryChainDecider, ...waiting, started(second))
      .when(loseAttempt(2), { now: '2026-02-01T09:00:30.000Z' })
      .then(lost(second, SOON)));

  it.each([
    ['of an attempt that the chain does not have', ended, { ...replay, attempt: 2 }, NOW, 'not_found'],
    ['of a chain without an attempt', [planned], replay, NOW, 'not_found'],
    ['to a disabled endpoint', ended, { ...replay, endpointState: DISABLED }, NOW, 'endpoint_disabled'],
    ['to a deleted endpoint', ended, { ...replay, endpointState: DELETED }, NOW, 'endpoint_disabled'],
    ['while an attempt is open', [planned, started(first)], replay, NOW, 'delivery_in_progress'],
    ['of an event older than 30 days', ended, replay, '2026-03-03T09:00:00.001Z', 'expired'],
  ] as [string, DeliveryChainEvent[], DeliveryChainCommand, string, string][])(
    'is refused: %s',
    (_, history, command, now, code) =>
      given(deliveryChainDecider, ...history)
        .when(command, { now })
        .thenRejects(code),
  );

  it('is accepted exactly 30 days after the event, and refused a millisecond later', () => {
    const end = '2026-03-03T08:59:59.900Z';
    given(deliveryChainDecider, ...ended)
      .when(replay, { now: end })
      .then(
        started(createAttempt(2, { kind: 'replay', replayedFrom: first.deliveryId, startedAt: end }), {
          leaseUntil: '2026-03-03T09:00:29.900Z',
        }),
      );
    given(deliveryChainDecider, ...ended)
      .when(replay, { now: '2026-03-03T08:59:59.901Z' })
      .thenRejects('expired');
  });

  it('is refused when the chain has used all attempts', () => {
    const facts = { ...CHAIN, maxAttempts: 1 };
    given(
      deliveryChainDecider,
      { type: 'DeliveryChainPlanned', data: { ...facts, dueAt: NOW } },
      started(first),
      failed(first),
    )
      .when(replay)
      .thenRejects('attempts_exhausted');
  });
});

describe('A test event', () => {
  const facts = { ...CHAIN, test: true, maxAttempts: 1 };
  const test: DeliveryChainCommand = { type: 'SendTest', facts, leaseMs: 30_000 };
  const attempt = createAttempt(1, { kind: 'test' });
  const history = [firstStarted(attempt, facts)];

  it('is planned and started by one event', () =>
    given(deliveryChainDecider)
      .when(test)
      .then(...history));

  it('is sent once', () =>
    given(deliveryChainDecider, ...history)
      .when(test)
      .thenNothing());

  it('has no retry', () =>
    given(deliveryChainDecider, ...history)
      .when(recordResult(1, 503))
      .then(failed(attempt, { test: true, maxAttempts: 1 })));
});
