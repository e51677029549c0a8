import { deliveryChainDecider } from '../../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import type {
  DeliveryChainCommand,
  DeliveryChainEvent,
  EndpointState,
  SkipReason,
} from '../../../../src/webhooks/domain/delivery-chain/facts.js';
import { given } from '../../../support/given.js';
import {
  abandoned,
  CHAIN,
  CHAIN_ID,
  createAttempt,
  DELETED,
  DISABLED,
  ENABLED,
  ENABLED_AGAIN,
  failed,
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

const JOB = 'whj_1';
const OTHER_JOB = 'whj_2';
const LATER = '2026-02-01T09:00:31.000Z';
const MONTHS_LATER = '2026-05-03T09:00:00.001Z';
const OF_JOB = { chainId: CHAIN_ID, endpointId: CHAIN.endpointId, replayJobId: JOB };
const BATCH_OWNER = { job: 'replay:whj_1.whs_1', attempt: 1 };

const first = createAttempt(1);
const second = createAttempt(2, { kind: 'job', replayedFrom: first.deliveryId, replayJobId: JOB });
const refused = failed(first, { reason: 'client_error', responseStatus: 400 });
const ended = [planned, started(first), refused];
const waiting = [planned, started(first), failed(first, { nextAttemptAt: SOON })];
const missed: DeliveryChainEvent = { type: 'DeliveryChainMissed', data: { ...CHAIN, reason: 'endpoint_disabled' } };
const held: DeliveryChainEvent = { type: 'DeliveryChainHeld', data: { ...OF_JOB, attempt: 1 } };
const released: DeliveryChainEvent = { type: 'DeliveryChainReleased', data: OF_JOB };
const skipped = (reason: SkipReason): DeliveryChainEvent => ({
  type: 'DeliveryChainSkipped',
  data: { ...OF_JOB, reason },
});
const redelivered = started(second, { owner: BATCH_OWNER, disabledTimes: 0 });

const hold = {
  type: 'HoldDeliveryChain',
  replayJobId: JOB,
  attempt: 1,
  endpointState: ENABLED,
} satisfies DeliveryChainCommand;
const redeliver = {
  type: 'RedeliverChain',
  replayJobId: JOB,
  endpointState: ENABLED,
  leaseMs: 30_000,
  owner: BATCH_OWNER,
} satisfies DeliveryChainCommand;
const release = { type: 'ReleaseDeliveryChain', replayJobId: JOB } satisfies DeliveryChainCommand;
const replay = (attempt: number): DeliveryChainCommand => ({
  type: 'Replay',
  attempt,
  endpointState: ENABLED,
  leaseMs: 30_000,
});

describe('A chain that a replay job selected', () => {
  it.each([
    ['after its last attempt', ended],
    ['while a retry waits', waiting],
    ['after it was abandoned', [...waiting, abandoned(1, 'endpoint_disabled')]],
  ])('is held %s', (_, history) =>
    given(deliveryChainDecider, ...history)
      .when(hold)
      .then(held),
  );

  it('is held when it was missed', () =>
    given(deliveryChainDecider, missed)
      .when({ ...hold, attempt: 0 })
      .then({ type: 'DeliveryChainHeld', data: { ...OF_JOB, attempt: 0 } }));

  it('is held once', () =>
    given(deliveryChainDecider, ...ended, held)
      .when(hold)
      .thenNothing());

  it.each([
    ['another attempt has firstStarted', [...waiting, started(createAttempt(2))]],
    ['another attempt has ended', [...waiting, started(createAttempt(2)), failed(createAttempt(2))]],
    [
      'another job holds the chain',
      [...ended, { type: 'DeliveryChainHeld', data: { ...OF_JOB, replayJobId: OTHER_JOB, attempt: 1 } }],
    ],
  ] as [string, DeliveryChainEvent[]][])('is skipped as changed when %s', (_, history) =>
    given(deliveryChainDecider, ...history)
      .when(hold)
      .then(skipped('changed')),
  );

  it.each([
    ['endpoint_disabled', ended, DISABLED],
    ['endpoint_disabled', ended, DELETED],
    ['attempts_exhausted', [usedUp(), started(first), refused], ENABLED],
  ] as [SkipReason, DeliveryChainEvent[], EndpointState][])(
    'is skipped as %s at the hold and before the send',
    (reason, history, endpointState) => {
      given(deliveryChainDecider, ...history)
        .when({ ...hold, endpointState })
        .then(skipped(reason));
      given(deliveryChainDecider, ...history, held)
        .when({ ...redeliver, endpointState })
        .then(skipped(reason));
    },
  );

  it('is sent at any age of its event, and retried like a new one', () => {
    const now = MONTHS_LATER;
    const sent = createAttempt(2, { kind: 'job', replayedFrom: first.deliveryId, replayJobId: JOB, startedAt: now });
    given(deliveryChainDecider, ...ended)
      .when(hold, { now })
      .then(held);
    given(deliveryChainDecider, ...ended, held, started(sent, { owner: BATCH_OWNER, disabledTimes: 0 }))
      .when(recordResult(2, 503), { now })
      .then(failed(sent, { nextAttemptAt: '2026-05-03T09:00:05.001Z' }));
  });

  function usedUp(): DeliveryChainEvent {
    return { type: 'DeliveryChainPlanned', data: { ...CHAIN, maxAttempts: 1, dueAt: NOW } };
  }
});

describe('A chain that a replay job holds', () => {
  it('is not retried', () =>
    given(deliveryChainDecider, ...waiting, held)
      .when(start, { now: LATER })
      .thenNothing());

  it('refuses a manual replay', () =>
    given(deliveryChainDecider, ...ended, held)
      .when(replay(1))
      .thenRejects('delivery_replayed_by_job'));

  it('names the disabled endpoint before the job when it refuses a replay', () =>
    given(deliveryChainDecider, ...ended, held)
      .when({ type: 'Replay', attempt: 1, endpointState: DISABLED, leaseMs: 30_000 })
      .thenRejects('endpoint_disabled'));

  it('is retried after it was released', () =>
    given(deliveryChainDecider, ...waiting, held, released)
      .when(start, { now: SOON })
      .then(started(createAttempt(2, { startedAt: SOON }), { leaseUntil: '2026-02-01T09:00:35.000Z' })));

  it.each([
    ['released', released],
    ['skipped', skipped('expired')],
  ])('can be replayed after it was %s', (_, event) =>
    given(deliveryChainDecider, ...ended, held, event)
      .when(replay(1))
      .then(started(createAttempt(2, { kind: 'replay', replayedFrom: first.deliveryId }))),
  );

  it.each<[string, DeliveryChainEvent]>([
    ['skips', { type: 'DeliveryChainSkipped', data: { ...OF_JOB, replayJobId: OTHER_JOB, reason: 'changed' } }],
    ['releases', { type: 'DeliveryChainReleased', data: { ...OF_JOB, replayJobId: OTHER_JOB } }],
  ])('stays held when another job %s the chain', (_, event) => {
    given(deliveryChainDecider, ...ended, held, event)
      .when(replay(1))
      .thenRejects('delivery_replayed_by_job');
    given(deliveryChainDecider, ...ended, held, event)
      .when(redeliver)
      .then(redelivered);
  });

  it('is abandoned when its endpoint is disabled', () =>
    given(deliveryChainDecider, ...waiting, held)
      .when({ type: 'DropRetries', endpointState: DISABLED })
      .then(abandoned(1, 'endpoint_disabled')));

  it('is released once, and only by its own job', () => {
    given(deliveryChainDecider, ...ended, held)
      .when(release)
      .then(released);
    given(deliveryChainDecider, ...ended, held, released)
      .when(release)
      .thenNothing();
    given(deliveryChainDecider, ...ended, held)
      .when({ ...release, replayJobId: OTHER_JOB })
      .thenNothing();
  });
});

describe('A redelivery', () => {
  it('is the next attempt and names the record that the job holds', () =>
    given(deliveryChainDecider, ...ended, held)
      .when(redeliver)
      .then(redelivered));

  it('is the first attempt of a missed chain', () =>
    given(deliveryChainDecider, missed, held)
      .when(redeliver)
      .then(started(createAttempt(1, { kind: 'job', replayJobId: JOB }), { owner: BATCH_OWNER, disabledTimes: 0 })));

  it('happens once, and only for a held chain', () => {
    given(deliveryChainDecider, ...ended, held, redelivered)
      .when(redeliver)
      .thenNothing();
    given(deliveryChainDecider, ...ended)
      .when(redeliver)
      .thenNothing();
  });

  it('starts a new retry schedule', () => {
    const fourth = createAttempt(4, { kind: 'job', replayedFrom: createAttempt(3).deliveryId, replayJobId: JOB });
    const exhausted = [1, 2, 3].flatMap((n) => [
      started(createAttempt(n)),
      failed(createAttempt(n), { nextAttemptAt: n < 3 ? NOW : null }),
    ]);
    given(deliveryChainDecider, planned, ...exhausted, abandoned(3, 'schedule_exhausted'), held, started(fourth))
      .when(recordResult(4, 503))
      .then(failed(fourth, { nextAttemptAt: SOON }));
  });

  it('has retries even if the endpoint was disabled before it', () => {
    const again = started(second, { owner: BATCH_OWNER, disabledTimes: 1 });
    given(deliveryChainDecider, ...waiting, abandoned(1, 'endpoint_disabled'), held, again)
      .when(recordResult(2, 503, { endpointState: ENABLED_AGAIN }))
      .then(failed(second, { nextAttemptAt: SOON, disabledTimes: 1 }));
  });

  it('has no retries after a 2xx or a 4xx, even if a retry was waiting before', () => {
    given(deliveryChainDecider, ...waiting, held, redelivered)
      .when(recordResult(2, 204))
      .then(succeeded(second));
    given(deliveryChainDecider, ...waiting, held, redelivered)
      .when(recordResult(2, 404))
      .then(failed(second, { reason: 'client_error', responseStatus: 404 }));
  });

  it('is repeated at once as a retry when it was lost', () =>
    given(deliveryChainDecider, ...ended, held, redelivered)
      .when(loseAttempt(2, { ...BATCH_OWNER, attempt: 2 }))
      .then(lost(second, NOW)));

  it('refuses a replay of earlier records while it is open and after it has ended', () => {
    given(deliveryChainDecider, ...ended, held, redelivered)
      .when(replay(1))
      .thenRejects('delivery_replayed_by_job');
    given(deliveryChainDecider, ...ended, held, redelivered, failed(second))
      .when(replay(1))
      .thenRejects('delivery_replayed_by_job');
  });

  it('can be replayed, and so can later attempts', () => {
    const third = createAttempt(3, { kind: 'replay', replayedFrom: second.deliveryId });
    given(deliveryChainDecider, ...ended, held, redelivered, failed(second))
      .when(replay(2))
      .then(started(third));
    given(deliveryChainDecider, ...ended, held, redelivered, failed(second), started(third), failed(third))
      .when(replay(3))
      .then(started(createAttempt(4, { kind: 'replay', replayedFrom: third.deliveryId })));
  });
});

describe('A failure after a success', () => {
  it('records that an earlier attempt succeeded', () => {
    const replayed = createAttempt(2, { kind: 'replay', replayedFrom: first.deliveryId });
    given(deliveryChainDecider, planned, started(first), succeeded(first), started(replayed))
      .when(recordResult(2, 500))
      .then(failed(replayed, { responseStatus: 500, afterSuccess: true }));
  });
});
