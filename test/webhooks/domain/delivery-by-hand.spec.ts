import { delivery, type DeliveryCommand, type DeliveryEvent } from '../../../src/webhooks/domain/delivery.js';
import type { Target } from '../../../src/webhooks/domain/delivery-refusal.js';
import { given } from '../../support/given.js';
import {
  CHAIN,
  DELETED,
  DISABLED,
  ENABLED,
  ENABLED_AGAIN,
  NOW,
  SOON,
  abandoned,
  answer,
  attemptOf,
  failed,
  lose,
  lost,
  planned,
  start,
  started,
  succeeded,
} from '../facts.js';

const first = attemptOf(1);

describe('A replay', () => {
  const replay: DeliveryCommand = { type: 'Replay', attempt: 1, target: ENABLED, leaseMs: 30_000 };
  const second = attemptOf(2, { kind: 'replay', replayedFrom: first.deliveryId });
  const ended = [planned, started(first), failed(first, { reason: 'client_error', responseStatus: 400 })];
  const waiting = [planned, started(first), failed(first, { nextAttemptAt: SOON })];

  it('is a new attempt that names the record it replays', () =>
    given(delivery, ...ended)
      .when(replay)
      .then(started(second)));

  it('may follow a success', () => given(delivery, planned, started(first), succeeded(first)).when(replay).then(started(second)));

  it('is followed by no automatic attempt', () =>
    given(delivery, ...ended, started(second))
      .when(answer(2, 503))
      .then(failed(second)));

  it('leaves a waiting retry its due time', () =>
    given(delivery, ...waiting, started(second))
      .when(answer(2, 503))
      .then(failed(second, { nextAttemptAt: SOON })));

  it('with a 4xx cancels a waiting retry', () =>
    given(delivery, ...waiting, started(second))
      .when(answer(2, 410))
      .then(failed(second, { reason: 'client_error', responseStatus: 410 })));

  it('with a 2xx cancels a waiting retry', () =>
    given(delivery, ...waiting, started(second), succeeded(second))
      .when(start, { now: SOON })
      .nothing());

  it('keeps a waiting retry from starting', () =>
    given(delivery, ...waiting, started(second))
      .when(start, { now: SOON })
      .nothing());

  it('is lost when its lease has passed, and the waiting retry stays', () =>
    given(delivery, ...waiting, started(second))
      .when(lose(2), { now: '2026-02-01T09:00:30.000Z' })
      .then(lost(second, SOON)));

  it.each([
    ['unknown to the chain', ended, { ...replay, attempt: 2 }, NOW, 'not_found'],
    ['of a chain without an attempt', [planned], replay, NOW, 'not_found'],
    ['to a disabled endpoint', ended, { ...replay, target: DISABLED }, NOW, 'endpoint_disabled'],
    ['to a deleted endpoint', ended, { ...replay, target: DELETED }, NOW, 'endpoint_disabled'],
    ['of what is being sent', [planned, started(first)], replay, NOW, 'delivery_in_progress'],
    ['of an event older than 30 days', ended, replay, '2026-03-03T09:00:00.001Z', 'expired'],
  ] as [string, DeliveryEvent[], DeliveryCommand, string, string][])('%s is refused', (_, history, command, now, code) =>
    given(delivery, ...history)
      .when(command, { now })
      .refuses(code),
  );

  it('is refused when the attempts are used up', () => {
    const chain = { ...CHAIN, maxAttempts: 1 };
    given(delivery, { type: 'ChainPlanned', data: { ...chain, dueAt: NOW } }, started(first), failed(first))
      .when(replay)
      .refuses('attempts_exhausted');
  });
});

describe('A test event', () => {
  const chain = { ...CHAIN, test: true, maxAttempts: 1 };
  const test: DeliveryCommand = { type: 'SendTest', chain, leaseMs: 30_000 };
  const attempt = attemptOf(1, { kind: 'test' });
  const begun: DeliveryEvent[] = [{ type: 'ChainPlanned', data: { ...chain, dueAt: NOW } }, started(attempt)];

  it('is planned and started in one', () =>
    given(delivery)
      .when(test)
      .then(...begun));

  it('is sent once', () =>
    given(delivery, ...begun)
      .when(test)
      .nothing());

  it('is never repeated by itself', () =>
    given(delivery, ...begun)
      .when(answer(1, 503))
      .then(failed(attempt, { test: true, maxAttempts: 1 })));
});

describe('Dropping the retries of an endpoint', () => {
  const drop = (target: Target): DeliveryCommand => ({ type: 'DropRetries', target });
  const waiting = [planned, started(first), failed(first, { nextAttemptAt: SOON })];

  it('abandons a chain that waits', () =>
    given(delivery, ...waiting)
      .when(drop(DISABLED))
      .then(abandoned(1, 'endpoint_disabled')));

  it('abandons it also when the endpoint is enabled again by now', () =>
    given(delivery, ...waiting)
      .when(drop(ENABLED_AGAIN))
      .then(abandoned(1, 'endpoint_disabled')));

  it('leaves a chain alone that was planned since', () =>
    given(delivery, ...waiting)
      .when(drop(ENABLED))
      .nothing());

  it('happens once', () =>
    given(delivery, ...waiting, abandoned(1, 'endpoint_disabled'))
      .when(drop(DISABLED))
      .nothing());
});
