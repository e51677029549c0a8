import { deliveryChainDecider } from '../../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import type { DeliveryChainCommand, DeliveryChainEvent } from '../../../../src/webhooks/domain/delivery-chain/facts.js';
import { given } from '../../../support/given.js';
import {
  CHAIN,
  CHAIN_ID,
  createAttempt,
  DELETED,
  DISABLED,
  ENABLED,
  failed,
  NOW,
  recordResult,
  start,
  started,
  succeeded,
  waiting,
} from '../../facts.js';

const JOB = 'whj_1';
const LONG_AGO = '2020-01-01T09:00:00.000Z';
const FACTS = { ...CHAIN, occurredAt: LONG_AGO, plannedBy: JOB };

const backfill = {
  type: 'BackfillDeliveryChain',
  facts: FACTS,
  endpointState: ENABLED,
  dueAt: NOW,
} satisfies DeliveryChainCommand;
const planned: DeliveryChainEvent = { type: 'DeliveryChainPlanned', data: { ...FACTS, dueAt: NOW, waits: true } };
const missed = (reason: 'endpoint_disabled' | 'endpoint_deleted' | 'cancelled'): DeliveryChainEvent => ({
  type: 'DeliveryChainMissed',
  data: { ...FACTS, reason },
});
const first = createAttempt(1, { replayJobId: JOB });

describe('A delivery chain that a replay job plans', () => {
  it('is planned for an event of any age', () => given(deliveryChainDecider).when(backfill).then(planned));

  it.each([['endpoint_disabled'], ['cancelled']] as const)('is planned after it was missed as %s', (reason) =>
    given(deliveryChainDecider, missed(reason)).when(backfill).then(planned),
  );

  it.each<[string, DeliveryChainEvent[]]>([
    ['waits', [waiting]],
    ['is planned by a job', [planned]],
    ['has an open attempt', [planned, started(first)]],
    ['has a success', [planned, started(first), succeeded(first)]],
    ['has a failure', [planned, started(first), failed(first)]],
  ])('is not planned again when it %s', (_, history) =>
    given(deliveryChainDecider, ...history)
      .when(backfill)
      .thenNothing(),
  );

  it('is not planned while another job holds it', () => {
    const held = { chainId: CHAIN_ID, endpointId: CHAIN.endpointId, replayJobId: 'whj_2', attempt: 0 };
    given(deliveryChainDecider, missed('endpoint_disabled'), { type: 'DeliveryChainHeld', data: held })
      .when(backfill)
      .thenNothing();
  });

  it.each([DISABLED, DELETED])('stays unplanned while its endpoint gets nothing: %j', (endpointState) =>
    given(deliveryChainDecider)
      .when({ ...backfill, endpointState })
      .thenNothing(),
  );
});

describe('The first attempt of such a chain', () => {
  it('names the job', () => given(deliveryChainDecider, planned).when(start).then(started(first)));

  it('is dropped when the job has stopped, so that a later job plans it', () =>
    given(deliveryChainDecider, planned)
      .when({ ...start, isCancelled: true })
      .then(missed('cancelled')));

  it.each([
    ['endpoint_disabled', DISABLED],
    ['endpoint_deleted', DELETED],
  ] as const)('is dropped as %s', (reason, endpointState) =>
    given(deliveryChainDecider, planned)
      .when({ ...start, endpointState })
      .then(missed(reason)),
  );

  it('is retried although the event is old, and the retry is no part of the job', () => {
    const [retryAt, second] = ['2026-02-01T09:00:05.000Z', createAttempt(2, { startedAt: '2026-02-01T09:00:05.000Z' })];
    const refused = { ...failed(first, { nextAttemptAt: retryAt }) };
    const data = { ...refused.data, ...FACTS, ...first } as Extract<
      DeliveryChainEvent,
      { type: 'AttemptFailed' }
    >['data'];
    given(deliveryChainDecider, planned, started(first))
      .when(recordResult(1, 503))
      .then({ type: 'AttemptFailed', data });
    given(deliveryChainDecider, planned, started(first), { type: 'AttemptFailed', data })
      .when({ ...start, isCancelled: true }, { now: retryAt })
      .then(started(second, { leaseUntil: '2026-02-01T09:00:35.000Z' }));
  });
});
