import { chain, type ChainCommand } from '../../../src/webhooks/domain/chain.js';
import type { Target } from '../../../src/webhooks/domain/target.js';
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
  attemptOf,
  failed,
  planned,
  start,
  started,
  succeeded,
  waiting,
} from '../facts.js';

const first = attemptOf(1);
const LONG_AGO = '2026-01-01T09:00:00.000Z';

describe('A delivery chain', () => {
  const plan = (target: Target): ChainCommand => ({ type: 'PlanChain', facts: CHAIN, target });

  it('is planned with an attempt that is due at once', () => given(chain).when(plan(ENABLED)).then(waiting));

  it('is recorded as missed when its endpoint is disabled', () =>
    given(chain)
      .when(plan(DISABLED))
      .then({ type: 'ChainMissed', data: { ...CHAIN, reason: 'endpoint_disabled' } }));

  it('starts its first attempt in the same append when a lease is given', () =>
    given(chain)
      .when({ type: 'PlanChain', facts: CHAIN, target: ENABLED, start: { leaseMs: 30_000, run: RUN } })
      .then(planned, started(first)));

  it('starts no attempt when its endpoint is disabled', () =>
    given(chain)
      .when({ type: 'PlanChain', facts: CHAIN, target: DISABLED, start: { leaseMs: 30_000, run: RUN } })
      .then({ type: 'ChainMissed', data: { ...CHAIN, reason: 'endpoint_disabled' } }));

  it('is recorded as missed when its event is too old', () =>
    given(chain)
      .when({ type: 'PlanChain', facts: { ...CHAIN, occurredAt: LONG_AGO }, target: ENABLED, start: { leaseMs: 30_000, run: RUN } })
      .then({ type: 'ChainMissed', data: { ...CHAIN, occurredAt: LONG_AGO, reason: 'expired' } }));

  it('is planned once', () => given(chain, planned).when(plan(ENABLED)).nothing());

  it('stays missed when its endpoint is enabled again', () =>
    given(chain, { type: 'ChainMissed', data: { ...CHAIN, reason: 'endpoint_disabled' } })
      .when(plan(ENABLED))
      .nothing());
});

describe('An automatic attempt', () => {
  it('starts when it is due', () => given(chain, planned).when(start).then(started(first)));

  it('does not start before it is due', () =>
    given(chain, planned, started(first), failed(first, { nextAttemptAt: SOON }))
      .when(start)
      .nothing());

  it('does not start while another attempt is open', () => given(chain, planned, started(first)).when(start).nothing());

  it('does not start after a success', () => given(chain, planned, started(first), succeeded(first)).when(start).nothing());

  it('takes the next number of the chain', () =>
    given(chain, planned, started(first), failed(first, { nextAttemptAt: NOW }))
      .when(start)
      .then(started(attemptOf(2))));

  it.each([
    ['disabled', DISABLED, 'endpoint_disabled'],
    ['disabled and enabled again', ENABLED_AGAIN, 'endpoint_disabled'],
    ['deleted', DELETED, 'endpoint_deleted'],
  ] as const)('is dropped when the endpoint has been %s', (_, target, reason) =>
    given(chain, planned, started(first), failed(first, { nextAttemptAt: NOW }))
      .when({ ...start, target })
      .then(abandoned(1, reason)),
  );

  it('is dropped even before it is due', () =>
    given(chain, planned, started(first), failed(first, { nextAttemptAt: SOON }))
      .when({ ...start, target: DISABLED })
      .then(abandoned(1, 'endpoint_disabled')));

  it('makes its chain missed when it is the first attempt and the endpoint has been disabled', () =>
    given(chain, planned)
      .when({ ...start, target: DISABLED })
      .then({ type: 'ChainMissed', data: { ...CHAIN, reason: 'endpoint_disabled' } }));

  it('is dropped when the event is older than 30 days', () =>
    given(chain, planned, started(first), failed(first, { nextAttemptAt: NOW }))
      .when(start, { now: '2026-03-03T09:00:00.000Z' })
      .then(abandoned(1, 'expired')));
});

describe('Dropping the retries of an endpoint', () => {
  const drop = (target: Target): ChainCommand => ({ type: 'DropRetries', target });
  const retried = [planned, started(first), failed(first, { nextAttemptAt: SOON })];

  it('abandons a waiting chain', () =>
    given(chain, ...retried)
      .when(drop(DISABLED))
      .then(abandoned(1, 'endpoint_disabled')));

  it('abandons a waiting chain even if the endpoint was enabled again', () =>
    given(chain, ...retried)
      .when(drop(ENABLED_AGAIN))
      .then(abandoned(1, 'endpoint_disabled')));

  it('does not change a chain that was planned later', () =>
    given(chain, ...retried)
      .when(drop(ENABLED))
      .nothing());

  it('happens once', () =>
    given(chain, ...retried, abandoned(1, 'endpoint_disabled'))
      .when(drop(DISABLED))
      .nothing());
});
