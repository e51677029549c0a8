import type { ChainCommand, ChainEvent } from '../../../src/webhooks/domain/chain.js';
import { chain } from '../../../src/webhooks/domain/chain.js';
import type { SkipReason } from '../../../src/webhooks/domain/holding.js';
import type { Target } from '../../../src/webhooks/domain/target.js';
import { given } from '../../support/given.js';
import {
  abandoned,
  answer,
  attemptOf,
  CHAIN,
  CHAIN_ID,
  DELETED,
  DISABLED,
  ENABLED,
  ENABLED_AGAIN,
  failed,
  lose,
  lost,
  NOW,
  planned,
  SOON,
  start,
  started,
  succeeded,
} from '../facts.js';

const JOB = 'whj_1';
const OTHER_JOB = 'whj_2';
const LATER = '2026-02-01T09:00:31.000Z';
const EXPIRED = '2026-03-03T09:00:00.001Z';
const OF_JOB = { chainId: CHAIN_ID, endpointId: CHAIN.endpointId, replayJobId: JOB };
const LANE = { job: 'replay:whj_1.whs_1', attempt: 1 };

const first = attemptOf(1);
const second = attemptOf(2, { kind: 'job', replayedFrom: first.deliveryId, replayJobId: JOB });
const refused = failed(first, { reason: 'client_error', responseStatus: 400 });
const ended = [planned, started(first), refused];
const waiting = [planned, started(first), failed(first, { nextAttemptAt: SOON })];
const missed: ChainEvent = { type: 'ChainMissed', data: { ...CHAIN, reason: 'endpoint_disabled' } };
const held: ChainEvent = { type: 'ChainHeld', data: { ...OF_JOB, attempt: 1 } };
const released: ChainEvent = { type: 'ChainReleased', data: OF_JOB };
const skipped = (reason: SkipReason): ChainEvent => ({ type: 'ChainSkipped', data: { ...OF_JOB, reason } });
const begun = started(second, { run: LANE, disabledTimes: 0 });

const hold = { type: 'HoldChain', replayJobId: JOB, attempt: 1, target: ENABLED } satisfies ChainCommand;
const redeliver = { type: 'Redeliver', replayJobId: JOB, target: ENABLED, leaseMs: 30_000, run: LANE } satisfies ChainCommand;
const release = { type: 'ReleaseChain', replayJobId: JOB } satisfies ChainCommand;
const replay = (attempt: number): ChainCommand => ({ type: 'Replay', attempt, target: ENABLED, leaseMs: 30_000 });

describe('A chain that a replay job selected', () => {
  it.each([
    ['after its last attempt', ended],
    ['while a retry waits', waiting],
    ['after it was abandoned', [...waiting, abandoned(1, 'endpoint_disabled')]],
  ])('is held %s', (_, history) =>
    given(chain, ...history)
      .when(hold)
      .then(held),
  );

  it('is held when it was missed', () =>
    given(chain, missed)
      .when({ ...hold, attempt: 0 })
      .then({ type: 'ChainHeld', data: { ...OF_JOB, attempt: 0 } }));

  it('is held once', () =>
    given(chain, ...ended, held)
      .when(hold)
      .nothing());

  it.each([
    ['another attempt has begun', [...waiting, started(attemptOf(2))]],
    ['another attempt has ended', [...waiting, started(attemptOf(2)), failed(attemptOf(2))]],
    ['another job holds the chain', [...ended, { type: 'ChainHeld', data: { ...OF_JOB, replayJobId: OTHER_JOB, attempt: 1 } }]],
  ] as [string, ChainEvent[]][])('is skipped as changed when %s', (_, history) =>
    given(chain, ...history)
      .when(hold)
      .then(skipped('changed')),
  );

  it.each([
    ['endpoint_disabled', ended, DISABLED, NOW],
    ['endpoint_disabled', ended, DELETED, NOW],
    ['expired', ended, ENABLED, EXPIRED],
    ['attempts_exhausted', [usedUp(), started(first), refused], ENABLED, NOW],
  ] as [SkipReason, ChainEvent[], Target, string][])('is skipped as %s at the hold and before the send', (reason, history, target, now) => {
    given(chain, ...history)
      .when({ ...hold, target }, { now })
      .then(skipped(reason));
    given(chain, ...history, held)
      .when({ ...redeliver, target }, { now })
      .then(skipped(reason));
  });

  function usedUp(): ChainEvent {
    return { type: 'ChainPlanned', data: { ...CHAIN, maxAttempts: 1, dueAt: NOW } };
  }
});

describe('A chain that a replay job holds', () => {
  it('is not retried', () =>
    given(chain, ...waiting, held)
      .when(start, { now: LATER })
      .nothing());

  it('refuses a manual replay', () =>
    given(chain, ...ended, held)
      .when(replay(1))
      .refuses('delivery_replayed_by_job'));

  it('names the disabled endpoint before the job when it refuses a replay', () =>
    given(chain, ...ended, held)
      .when({ type: 'Replay', attempt: 1, target: DISABLED, leaseMs: 30_000 })
      .refuses('endpoint_disabled'));

  it('is retried after it was released', () =>
    given(chain, ...waiting, held, released)
      .when(start, { now: SOON })
      .then(started(attemptOf(2, { startedAt: SOON }), { leaseUntil: '2026-02-01T09:00:35.000Z' })));

  it.each([
    ['released', released],
    ['skipped', skipped('expired')],
  ])('can be replayed after it was %s', (_, event) =>
    given(chain, ...ended, held, event)
      .when(replay(1))
      .then(started(attemptOf(2, { kind: 'replay', replayedFrom: first.deliveryId }))),
  );

  it.each<[string, ChainEvent]>([
    ['skips', { type: 'ChainSkipped', data: { ...OF_JOB, replayJobId: OTHER_JOB, reason: 'changed' } }],
    ['releases', { type: 'ChainReleased', data: { ...OF_JOB, replayJobId: OTHER_JOB } }],
  ])('stays held when another job %s the chain', (_, event) => {
    given(chain, ...ended, held, event)
      .when(replay(1))
      .refuses('delivery_replayed_by_job');
    given(chain, ...ended, held, event)
      .when(redeliver)
      .then(begun);
  });

  it('is abandoned when its endpoint is disabled', () =>
    given(chain, ...waiting, held)
      .when({ type: 'DropRetries', target: DISABLED })
      .then(abandoned(1, 'endpoint_disabled')));

  it('is released once, and only by its own job', () => {
    given(chain, ...ended, held)
      .when(release)
      .then(released);
    given(chain, ...ended, held, released)
      .when(release)
      .nothing();
    given(chain, ...ended, held)
      .when({ ...release, replayJobId: OTHER_JOB })
      .nothing();
  });
});

describe('A redelivery', () => {
  it('is the next attempt and names the record that the job holds', () =>
    given(chain, ...ended, held)
      .when(redeliver)
      .then(begun));

  it('is the first attempt of a missed chain', () =>
    given(chain, missed, held)
      .when(redeliver)
      .then(started(attemptOf(1, { kind: 'job', replayJobId: JOB }), { run: LANE, disabledTimes: 0 })));

  it('happens once, and only for a held chain', () => {
    given(chain, ...ended, held, begun)
      .when(redeliver)
      .nothing();
    given(chain, ...ended)
      .when(redeliver)
      .nothing();
  });

  it('starts a new retry schedule', () => {
    const fourth = attemptOf(4, { kind: 'job', replayedFrom: attemptOf(3).deliveryId, replayJobId: JOB });
    const exhausted = [1, 2, 3].flatMap((n) => [started(attemptOf(n)), failed(attemptOf(n), { nextAttemptAt: n < 3 ? NOW : null })]);
    given(chain, planned, ...exhausted, abandoned(3, 'schedule_exhausted'), held, started(fourth))
      .when(answer(4, 503))
      .then(failed(fourth, { nextAttemptAt: SOON }));
  });

  it('has retries even if the endpoint was disabled before it', () => {
    const again = started(second, { run: LANE, disabledTimes: 1 });
    given(chain, ...waiting, abandoned(1, 'endpoint_disabled'), held, again)
      .when(answer(2, 503, { target: ENABLED_AGAIN }))
      .then(failed(second, { nextAttemptAt: SOON, disabledTimes: 1 }));
  });

  it('has no retries after a 2xx or a 4xx, even if a retry was waiting before', () => {
    given(chain, ...waiting, held, begun)
      .when(answer(2, 204))
      .then(succeeded(second));
    given(chain, ...waiting, held, begun)
      .when(answer(2, 404))
      .then(failed(second, { reason: 'client_error', responseStatus: 404 }));
  });

  it('is repeated at once as a retry when it was lost', () =>
    given(chain, ...ended, held, begun)
      .when(lose(2, { ...LANE, attempt: 2 }))
      .then(lost(second, NOW)));

  it('refuses a replay of earlier records while it is open and after it has ended', () => {
    given(chain, ...ended, held, begun)
      .when(replay(1))
      .refuses('delivery_replayed_by_job');
    given(chain, ...ended, held, begun, failed(second))
      .when(replay(1))
      .refuses('delivery_replayed_by_job');
  });

  it('can be replayed, and so can later attempts', () => {
    const third = attemptOf(3, { kind: 'replay', replayedFrom: second.deliveryId });
    given(chain, ...ended, held, begun, failed(second))
      .when(replay(2))
      .then(started(third));
    given(chain, ...ended, held, begun, failed(second), started(third), failed(third))
      .when(replay(3))
      .then(started(attemptOf(4, { kind: 'replay', replayedFrom: third.deliveryId })));
  });
});

describe('A failure after a success', () => {
  it('records that an earlier attempt succeeded', () => {
    const replayed = attemptOf(2, { kind: 'replay', replayedFrom: first.deliveryId });
    given(chain, planned, started(first), succeeded(first), started(replayed))
      .when(answer(2, 500))
      .then(failed(replayed, { responseStatus: 500, afterSuccess: true }));
  });
});
