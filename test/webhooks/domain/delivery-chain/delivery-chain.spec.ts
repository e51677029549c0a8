import { deliveryChainDecider } from '../../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import type { DeliveryChainCommand, EndpointState } from '../../../../src/webhooks/domain/delivery-chain/facts.js';
import { given } from '../../../support/given.js';
import {
  abandoned,
  CHAIN,
  createAttempt,
  DELETED,
  DISABLED,
  ENABLED,
  ENABLED_AGAIN,
  failed,
  firstStarted,
  NOW,
  OWNER,
  planned,
  SOON,
  start,
  started,
  succeeded,
  waiting,
} from '../../facts.js';

const first = createAttempt(1);
const LONG_AGO = '2026-01-01T09:00:00.000Z';

describe('A delivery chain', () => {
  const plan = (endpointState: EndpointState): DeliveryChainCommand => ({
    type: 'PlanDeliveryChain',
    facts: CHAIN,
    endpointState,
  });

  it('is planned with an attempt that is due at once', () =>
    given(deliveryChainDecider).when(plan(ENABLED)).then(waiting));

  it('is recorded as missed when its endpoint is disabled', () =>
    given(deliveryChainDecider)
      .when(plan(DISABLED))
      .then({ type: 'DeliveryChainMissed', data: { ...CHAIN, reason: 'endpoint_disabled' } }));

  it('begins with its first attempt when a lease is given', () =>
    given(deliveryChainDecider)
      .when({
        type: 'PlanDeliveryChain',
        facts: CHAIN,
        endpointState: ENABLED,
        start: { leaseMs: 30_000, owner: OWNER },
      })
      .then(firstStarted(first)));

  it('starts no attempt when its endpoint is disabled', () =>
    given(deliveryChainDecider)
      .when({
        type: 'PlanDeliveryChain',
        facts: CHAIN,
        endpointState: DISABLED,
        start: { leaseMs: 30_000, owner: OWNER },
      })
      .then({ type: 'DeliveryChainMissed', data: { ...CHAIN, reason: 'endpoint_disabled' } }));

  it('is recorded as missed when its event is too old', () =>
    given(deliveryChainDecider)
      .when({
        type: 'PlanDeliveryChain',
        facts: { ...CHAIN, occurredAt: LONG_AGO },
        endpointState: ENABLED,
        start: { leaseMs: 30_000, owner: OWNER },
      })
      .then({ type: 'DeliveryChainMissed', data: { ...CHAIN, occurredAt: LONG_AGO, reason: 'expired' } }));

  it.each([planned, firstStarted(first)])('is planned once', (event) =>
    given(deliveryChainDecider, event).when(plan(ENABLED)).thenNothing(),
  );

  it('stays missed when its endpoint is enabled again', () =>
    given(deliveryChainDecider, { type: 'DeliveryChainMissed', data: { ...CHAIN, reason: 'endpoint_disabled' } })
      .when(plan(ENABLED))
      .thenNothing());
});

describe('An automatic attempt', () => {
  it('starts when it is due', () => given(deliveryChainDecider, planned).when(start).then(started(first)));

  it('does not start before it is due', () =>
    given(deliveryChainDecider, planned, started(first), failed(first, { nextAttemptAt: SOON }))
      .when(start)
      .thenNothing());

  const ahead = createAttempt(1, { startedAt: '2026-02-01T10:00:00.000Z' });
  const dated = [planned, started(ahead), failed(ahead, { nextAttemptAt: '2026-02-01T10:00:05.000Z' })];

  it('does not wait for a due time that a clock an hour ahead has set', () =>
    given(deliveryChainDecider, ...dated)
      .when(start, { now: SOON })
      .then(started(createAttempt(2, { startedAt: SOON }), { leaseUntil: '2026-02-01T09:00:35.000Z' })));

  it('waits for a due time that a clock within the tolerated difference has set', () =>
    given(deliveryChainDecider, ...dated)
      .when(start, { now: '2026-02-01T09:55:00.000Z' })
      .thenNothing());

  it('starts at once when a clock an hour ahead has planned it', () =>
    given(deliveryChainDecider, { type: 'DeliveryChainPlanned', data: { ...CHAIN, dueAt: '2026-02-01T10:00:00.000Z' } })
      .when(start)
      .then(started(first)));

  it('does not start while another attempt is open', () =>
    given(deliveryChainDecider, planned, started(first)).when(start).thenNothing());

  it('does not start after a success', () =>
    given(deliveryChainDecider, planned, started(first), succeeded(first)).when(start).thenNothing());

  it('takes the next number of the chain', () =>
    given(deliveryChainDecider, planned, started(first), failed(first, { nextAttemptAt: NOW }))
      .when(start)
      .then(started(createAttempt(2))));

  it.each([
    ['disabled', DISABLED, 'endpoint_disabled'],
    ['disabled and enabled again', ENABLED_AGAIN, 'endpoint_disabled'],
    ['deleted', DELETED, 'endpoint_deleted'],
  ] as const)('is dropped when the endpoint has been %s', (_, endpointState, reason) =>
    given(deliveryChainDecider, planned, started(first), failed(first, { nextAttemptAt: NOW }))
      .when({ ...start, endpointState })
      .then(abandoned(1, reason)),
  );

  it('is dropped even before it is due', () =>
    given(deliveryChainDecider, planned, started(first), failed(first, { nextAttemptAt: SOON }))
      .when({ ...start, endpointState: DISABLED })
      .then(abandoned(1, 'endpoint_disabled')));

  it('makes its chain missed when it is the first attempt and the endpoint has been disabled', () =>
    given(deliveryChainDecider, planned)
      .when({ ...start, endpointState: DISABLED })
      .then({ type: 'DeliveryChainMissed', data: { ...CHAIN, reason: 'endpoint_disabled' } }));

  it('is dropped when the event is older than 30 days', () =>
    given(deliveryChainDecider, planned, started(first), failed(first, { nextAttemptAt: NOW }))
      .when(start, { now: '2026-03-03T09:00:00.000Z' })
      .then(abandoned(1, 'expired')));
});

describe('Dropping the retries of an endpoint', () => {
  const drop = (endpointState: EndpointState): DeliveryChainCommand => ({ type: 'DropRetries', endpointState });
  const retried = [planned, started(first), failed(first, { nextAttemptAt: SOON })];

  it('abandons a waiting chain', () =>
    given(deliveryChainDecider, ...retried)
      .when(drop(DISABLED))
      .then(abandoned(1, 'endpoint_disabled')));

  it('abandons a waiting chain even if the endpoint was enabled again', () =>
    given(deliveryChainDecider, ...retried)
      .when(drop(ENABLED_AGAIN))
      .then(abandoned(1, 'endpoint_disabled')));

  it('does not change a chain that was planned later', () =>
    given(deliveryChainDecider, ...retried)
      .when(drop(ENABLED))
      .thenNothing());

  it('happens once', () =>
    given(deliveryChainDecider, ...retried, abandoned(1, 'endpoint_disabled'))
      .when(drop(DISABLED))
      .thenNothing());
});
