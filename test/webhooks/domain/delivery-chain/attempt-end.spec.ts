import { deliveryChainDecider } from '../../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import type { DeliveryChainCommand, DeliveryChainEvent } from '../../../../src/webhooks/domain/delivery-chain/facts.js';
import { given } from '../../../support/given.js';
import {
  abandoned,
  createAttempt,
  DISABLED,
  failed,
  loseAttempt,
  lost,
  NOW,
  OWNER,
  planned,
  recordResult,
  SOON,
  started,
  succeeded,
} from '../../facts.js';

const first = createAttempt(1);

describe('The result of an attempt', () => {
  const sending = [planned, started(first)];

  it('ends the chain after a 2xx', () =>
    given(deliveryChainDecider, ...sending)
      .when(recordResult(1, 204))
      .then(succeeded(first)));

  it.each([400, 408, 410, 425, 429, 499])('is not followed by an automatic attempt after a %i', (responseStatus) =>
    given(deliveryChainDecider, ...sending)
      .when(recordResult(1, responseStatus, { retryAfterSeconds: 60 }))
      .then(failed(first, { reason: 'client_error', responseStatus })),
  );

  it.each([
    [500, 'server_error'],
    [302, 'redirect'],
    [101, 'unexpected_status'],
  ] as const)('is followed by the next attempt of the schedule after a %i', (responseStatus, reason) =>
    given(deliveryChainDecider, ...sending)
      .when(recordResult(1, responseStatus))
      .then(failed(first, { reason, responseStatus, nextAttemptAt: SOON })),
  );

  it('delays the next attempt when the receiver asks for a longer wait', () =>
    given(deliveryChainDecider, ...sending)
      .when(recordResult(1, 503, { retryAfterSeconds: 60 }))
      .then(failed(first, { nextAttemptAt: '2026-02-01T09:01:00.000Z' })));

  it('is followed by the next attempt when no response was received', () =>
    given(deliveryChainDecider, ...sending)
      .when({ ...recordResult(1, 0), result: { failure: 'dns_failure', durationMs: null } } as DeliveryChainCommand)
      .then(failed(first, { reason: 'dns_failure', responseStatus: null, durationMs: null, nextAttemptAt: SOON })));

  it('abandons the chain after the last automatic attempt failed', () => {
    const [second, third] = [createAttempt(2), createAttempt(3)];
    given(
      deliveryChainDecider,
      ...sending,
      failed(first, { nextAttemptAt: NOW }),
      started(second),
      failed(second, { nextAttemptAt: NOW }),
      started(third),
    )
      .when(recordResult(3, 503))
      .then(failed(third), abandoned(3, 'schedule_exhausted'));
  });

  it('abandons the chain after a retryable failure when the endpoint has been disabled', () =>
    given(deliveryChainDecider, ...sending)
      .when(recordResult(1, 503, { endpointState: DISABLED }))
      .then(failed(first), abandoned(1, 'endpoint_disabled')));

  it('needs no state of the endpoint when it is final', () =>
    given(deliveryChainDecider, ...sending)
      .when(recordResult(1, 410, { endpointState: null }))
      .then(failed(first, { reason: 'client_error', responseStatus: 410 })));

  it('is recorded once', () =>
    given(deliveryChainDecider, ...sending, succeeded(first))
      .when(recordResult(1, 204))
      .thenNothing());

  it('has no effect after its attempt was lost', () =>
    given(deliveryChainDecider, ...sending, lost(first, NOW), started(createAttempt(2)))
      .when(recordResult(1, 204))
      .thenNothing());
});

describe('An open attempt', () => {
  const sending = [planned, started(first)];

  it('is lost and repeated at once a minute after its lease expired, even if its owner is unknown', () =>
    given(deliveryChainDecider, ...sending)
      .when(loseAttempt(1), { now: '2026-02-01T09:01:30.000Z' })
      .then(lost(first, '2026-02-01T09:01:30.000Z')));

  it.each(['2026-02-01T09:00:00.000Z', '2026-02-01T09:00:30.000Z', '2026-02-01T09:01:29.999Z'])(
    'is not lost at %s, while its owner may still be running',
    (now) =>
      given(deliveryChainDecider, ...sending)
        .when(loseAttempt(1), { now })
        .thenNothing(),
  );

  it('is lost when its lease has expired and it has no owner, as in earlier versions', () =>
    given(deliveryChainDecider, planned, started(first, { owner: null }))
      .when(loseAttempt(1), { now: '2026-02-01T09:00:30.000Z' })
      .then(lost(first, '2026-02-01T09:00:30.000Z')));

  it('is lost at once when a later run of the same job finds it open', () =>
    given(deliveryChainDecider, ...sending)
      .when(loseAttempt(1, { ...OWNER, attempt: 2 }))
      .then(lost(first, NOW)));

  it.each([
    ['the same run', OWNER],
    ['the run of another job', { job: 'attempt:another:1', attempt: 7 }],
  ])('is not lost when %s finds it open', (_, run) =>
    given(deliveryChainDecider, ...sending)
      .when(loseAttempt(1, run))
      .thenNothing(),
  );

  it('is lost once', () =>
    given(deliveryChainDecider, ...sending, lost(first, NOW))
      .when(loseAttempt(1, { ...OWNER, attempt: 2 }))
      .thenNothing());

  it('abandons the chain when it is lost and was the last automatic attempt', () => {
    const [second, third] = [createAttempt(2), createAttempt(3)];
    given(deliveryChainDecider, ...sending, lost(first, NOW), started(second), lost(second, NOW), started(third))
      .when(loseAttempt(3, { ...OWNER, attempt: 2 }))
      .then(lost(third, null), abandoned(3, 'schedule_exhausted'));
  });

  it('abandons the chain when it is lost and was the last attempt that the chain may have', () => {
    const limited = <E extends DeliveryChainEvent>(event: E): E => ({
      ...event,
      data: { ...event.data, maxAttempts: 2 },
    });
    const second = createAttempt(2);
    given(deliveryChainDecider, limited(planned), started(first), limited(lost(first, NOW)), started(second))
      .when(loseAttempt(2, { ...OWNER, attempt: 2 }))
      .then(limited(lost(second, null)), abandoned(2, 'attempts_exhausted'));
  });
});
