import { delivery, type DeliveryCommand } from '../../../src/webhooks/domain/delivery.js';
import type { Target } from '../../../src/webhooks/domain/delivery-refusal.js';
import { given } from '../../support/given.js';
import {
  CHAIN,
  DELETED,
  DISABLED,
  ENABLED,
  ENABLED_AGAIN,
  NOW,
  RUN,
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

describe('A chain', () => {
  const plan = (target: Target): DeliveryCommand => ({ type: 'PlanChain', chain: CHAIN, target });

  it('begins with an attempt that is due at once', () => given(delivery).when(plan(ENABLED)).then(planned));

  it('is recorded as missed when its endpoint is disabled', () =>
    given(delivery)
      .when(plan(DISABLED))
      .then({ type: 'ChainMissed', data: { ...CHAIN, reason: 'endpoint_disabled' } }));

  it('begins once', () => given(delivery, planned).when(plan(ENABLED)).nothing());

  it('stays missed when its endpoint is enabled meanwhile', () =>
    given(delivery, { type: 'ChainMissed', data: { ...CHAIN, reason: 'endpoint_disabled' } })
      .when(plan(ENABLED))
      .nothing());
});

describe('An automatic attempt', () => {
  it('starts when it is due', () => given(delivery, planned).when(start).then(started(first)));

  it('does not start before it is due', () =>
    given(delivery, planned, started(first), failed(first, { nextAttemptAt: SOON }))
      .when(start)
      .nothing());

  it('does not start beside another one', () => given(delivery, planned, started(first)).when(start).nothing());

  it('does not start after a success', () => given(delivery, planned, started(first), succeeded(first)).when(start).nothing());

  it('takes the next number of the chain', () =>
    given(delivery, planned, started(first), failed(first, { nextAttemptAt: NOW }))
      .when(start)
      .then(started(attemptOf(2))));

  it.each([
    ['disabled', DISABLED, 'endpoint_disabled'],
    ['disabled and enabled again', ENABLED_AGAIN, 'endpoint_disabled'],
    ['deleted', DELETED, 'endpoint_deleted'],
  ] as const)('is given up when the endpoint was %s meanwhile', (_, target, reason) =>
    given(delivery, planned, started(first), failed(first, { nextAttemptAt: NOW }))
      .when({ ...start, target })
      .then(abandoned(1, reason)),
  );

  it('that was to be the first is missed when the endpoint was disabled meanwhile', () =>
    given(delivery, planned)
      .when({ ...start, target: DISABLED })
      .then({ type: 'ChainMissed', data: { ...CHAIN, reason: 'endpoint_disabled' } }));

  it('is given up when the event is older than 30 days', () =>
    given(delivery, planned, started(first), failed(first, { nextAttemptAt: NOW }))
      .when(start, { now: '2026-03-03T09:00:00.000Z' })
      .then(abandoned(1, 'expired')));
});

describe('An answer', () => {
  const sending = [planned, started(first)];

  it('with a 2xx ends the chain', () =>
    given(delivery, ...sending)
      .when(answer(1, 204))
      .then(succeeded(first)));

  it.each([400, 408, 410, 425, 429, 499])('with %i is never followed by an automatic attempt', (responseStatus) =>
    given(delivery, ...sending)
      .when(answer(1, responseStatus, { retryAfterSeconds: 60 }))
      .then(failed(first, { reason: 'client_error', responseStatus })),
  );

  it.each([
    [500, 'server_error'],
    [302, 'redirect'],
    [101, 'unexpected_status'],
  ] as const)('with %i is followed by the next attempt of the schedule', (responseStatus, reason) =>
    given(delivery, ...sending)
      .when(answer(1, responseStatus))
      .then(failed(first, { reason, responseStatus, nextAttemptAt: SOON })),
  );

  it('may ask for a longer wait', () =>
    given(delivery, ...sending)
      .when(answer(1, 503, { retryAfterSeconds: 60 }))
      .then(failed(first, { nextAttemptAt: '2026-02-01T09:01:00.000Z' })));

  it('that never came is followed by the next attempt', () =>
    given(delivery, ...sending)
      .when({ ...answer(1, 0), answer: { failure: 'dns_failure', durationMs: null } } as DeliveryCommand)
      .then(failed(first, { reason: 'dns_failure', responseStatus: null, durationMs: null, nextAttemptAt: SOON })));

  it('to the last automatic attempt abandons the chain', () => {
    const [second, third] = [attemptOf(2), attemptOf(3)];
    given(
      delivery,
      ...sending,
      failed(first, { nextAttemptAt: NOW }),
      started(second),
      failed(second, { nextAttemptAt: NOW }),
      started(third),
    )
      .when(answer(3, 503))
      .then(failed(third), abandoned(3, 'schedule_exhausted'));
  });

  it('that may be retried abandons the chain when the endpoint was disabled meanwhile', () =>
    given(delivery, ...sending)
      .when(answer(1, 503, { target: DISABLED }))
      .then(failed(first), abandoned(1, 'endpoint_disabled')));

  it('is recorded once', () =>
    given(delivery, ...sending, succeeded(first))
      .when(answer(1, 204))
      .nothing());

  it('that comes after its attempt was lost changes nothing', () =>
    given(delivery, ...sending, lost(first, NOW), started(attemptOf(2)))
      .when(answer(1, 204))
      .nothing());
});

describe('A lost attempt', () => {
  const sending = [planned, started(first)];

  it('is followed at once when its lease has passed', () =>
    given(delivery, ...sending)
      .when(lose(1), { now: '2026-02-01T09:00:30.000Z' })
      .then(lost(first, '2026-02-01T09:00:30.000Z')));

  it('is not lost before', () =>
    given(delivery, ...sending)
      .when(lose(1))
      .nothing());

  it('is lost at once when a later run of the same job finds it open', () =>
    given(delivery, ...sending)
      .when(lose(1, { ...RUN, attempt: 2 }))
      .then(lost(first, NOW)));

  it.each([
    ['the same run', RUN],
    ['a run of another job', { job: 'attempt:another:1', attempt: 7 }],
  ])('is not lost when %s finds it open', (_, run) =>
    given(delivery, ...sending)
      .when(lose(1, run))
      .nothing(),
  );

  it('is lost once', () =>
    given(delivery, ...sending, lost(first, NOW))
      .when(lose(1, { ...RUN, attempt: 2 }))
      .nothing());

  it('that was the last automatic one abandons the chain', () => {
    const [second, third] = [attemptOf(2), attemptOf(3)];
    given(delivery, ...sending, lost(first, NOW), started(second), lost(second, NOW), started(third))
      .when(lose(3, { ...RUN, attempt: 2 }))
      .then(lost(third, null), abandoned(3, 'schedule_exhausted'));
  });
});
