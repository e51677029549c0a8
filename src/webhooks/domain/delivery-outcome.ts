import { verdictOn, type Answer } from './answer.js';
import type { AbandonReason, DeliveryEvent, Ended, LoseAttempt, RecordAnswer, Sending } from './delivery.js';
import { reasonToDrop } from './delivery-refusal.js';
import { nextAttemptAfter } from './schedule.js';

/** What follows a failed attempt: the time of the next automatic one, or why there is none although one was to be. */
interface Sequel {
  readonly nextAttemptAt: string | null;
  readonly abandoned: AbandonReason | null;
}

const NOTHING_FOLLOWS: Sequel = { nextAttemptAt: null, abandoned: null };

export function answered(delivery: Sending, { answer, target, retries }: RecordAnswer, now: string): readonly DeliveryEvent[] {
  const record = recordOf(delivery);
  const verdict = verdictOn(answer);
  if (verdict.outcome === 'success')
    return [
      {
        type: 'AttemptSucceeded',
        data: { ...record, responseStatus: verdict.responseStatus, durationMs: verdict.durationMs, endedAt: now },
      },
    ];

  const next = () => nextAttemptAfter(delivery.automatic, retries, now, retryAfterOf(answer));
  const sequel = verdict.outcome === 'final' ? NOTHING_FOLLOWS : sequelOf(delivery, next, reasonToDrop(delivery, target, now));
  const { nextAttemptAt } = sequel;
  const responseStatus = 'failure' in answer ? null : answer.responseStatus;
  return [
    { type: 'AttemptFailed', data: { ...record, reason: verdict.reason, responseStatus, durationMs: answer.durationMs, nextAttemptAt } },
    ...abandonment(record, sequel),
  ];
}

/** Nobody will ever tell how this attempt ended: its lease has passed, or the run that began it is over. */
export function lost(delivery: Sending, { laterRun, retries }: LoseAttempt, now: string): readonly DeliveryEvent[] {
  if (now < delivery.open.leaseUntil && !isOver(delivery, laterRun)) return [];
  const record = recordOf(delivery);
  const next = () => (delivery.automatic <= retries.schedule.length ? now : null);
  const sequel = sequelOf(delivery, next, delivery.attempts >= delivery.chain.maxAttempts ? 'attempts_exhausted' : null);
  return [{ type: 'AttemptLost', data: { ...record, nextAttemptAt: sequel.nextAttemptAt } }, ...abandonment(record, sequel)];
}

function isOver({ open: { run } }: Sending, laterRun: LoseAttempt['laterRun']): boolean {
  return run !== null && laterRun !== null && run.job === laterRun.job && run.attempt < laterRun.attempt;
}

/** Only an automatic attempt is followed by one; behind a replay the one that was waiting keeps its due time. */
function sequelOf({ open, dueAt }: Sending, next: () => string | null, drop: AbandonReason | null): Sequel {
  if (open.kind !== 'automatic' && dueAt === null) return NOTHING_FOLLOWS;
  if (drop !== null) return { nextAttemptAt: null, abandoned: drop };
  const nextAttemptAt = open.kind === 'automatic' ? next() : dueAt;
  return { nextAttemptAt, abandoned: nextAttemptAt === null ? 'schedule_exhausted' : null };
}

function abandonment({ chainId, deliveryId, endpointId }: Ended, { abandoned: reason }: Sequel): readonly DeliveryEvent[] {
  return reason === null ? [] : [{ type: 'ChainAbandoned', data: { chainId, deliveryId, endpointId, reason } }];
}

function recordOf({ chain, open }: Sending): Ended {
  const { deliveryId, attempt, kind, replayedFrom, startedAt } = open;
  return { ...chain, deliveryId, attempt, kind, replayedFrom, startedAt };
}

function retryAfterOf(answer: Answer): number | null {
  return 'failure' in answer ? null : answer.retryAfterSeconds;
}
