import { isoAfter } from '../../kernel/clock.js';
import { verdictOn, type Answer } from './answer.js';
import type { AbandonReason, ChainEvent, Ended, LoseAttempt, RecordAnswer, Sending } from './chain.js';
import { nextAttemptAfter } from './schedule.js';
import { reasonToDrop } from './target.js';

/**
 * What follows a failed attempt: the time of the next automatic attempt, or the reason why an expected one is
 * abandoned.
 */
interface Sequel {
  readonly nextAttemptAt: string | null;
  readonly abandoned: AbandonReason | null;
}

/**
 * Leases show whether an owner has ended. When a lease is lost, clocks of processes may differ by at most this time.
 */
const MOST_CLOCKS_DIFFER_MS = 60_000;

const NOTHING_FOLLOWS: Sequel = { nextAttemptAt: null, abandoned: null };

export function answered(chain: Sending, { answer, target, retries }: RecordAnswer, now: string): readonly ChainEvent[] {
  const record = recordOf(chain);
  const verdict = verdictOn(answer);
  if (verdict.outcome === 'success')
    return [
      {
        type: 'AttemptSucceeded',
        data: { ...record, responseStatus: verdict.responseStatus, durationMs: verdict.durationMs, endedAt: now },
      },
    ];

  const next = () => nextAttemptAfter(chain.automatic, retries, now, retryAfterOf(answer));
  const drop = target && reasonToDrop(chain, target, now);
  const sequel = verdict.outcome === 'final' ? NOTHING_FOLLOWS : sequelOf(chain, next, drop);
  const { nextAttemptAt } = sequel;
  const { reason } = verdict;
  const failed = { ...record, reason, ...failureIn(answer), durationMs: answer.durationMs, nextAttemptAt };
  return [{ type: 'AttemptFailed', data: failed }, ...abandonment(record, sequel)];
}

/** Records an attempt as lost when its owner has ended, or when its lease has expired on every clock. */
export function lost(chain: Sending, { laterRun, retries }: LoseAttempt, now: string): readonly ChainEvent[] {
  if (now < endOfLease(chain.open) && !isOver(chain, laterRun)) return [];
  const record = recordOf(chain);
  const next = () => (chain.automatic <= retries.schedule.length ? now : null);
  const sequel = sequelOf(chain, next, chain.attempts >= chain.facts.maxAttempts ? 'attempts_exhausted' : null);
  return [{ type: 'AttemptLost', data: { ...record, nextAttemptAt: sequel.nextAttemptAt } }, ...abandonment(record, sequel)];
}

/**
 * Adds the clock skew, because the owner's clock may be slow. Attempts of earlier versions have no owner, only a lease.
 */
function endOfLease({ run, leaseUntil }: Sending['open']): string {
  return run === null ? leaseUntil : isoAfter(leaseUntil, MOST_CLOCKS_DIFFER_MS);
}

function isOver({ open: { run } }: Sending, laterRun: LoseAttempt['laterRun']): boolean {
  return run !== null && laterRun !== null && run.job === laterRun.job && run.attempt < laterRun.attempt;
}

/**
 * Only an attempt of the schedule or of a replay job has a next one. After a replay, a waiting retry keeps its due
 * time.
 */
function sequelOf({ open, dueAt }: Sending, next: () => string | null, drop: AbandonReason | null): Sequel {
  const isOfSchedule = open.kind === 'automatic' || open.kind === 'job';
  if (!isOfSchedule && dueAt === null) return NOTHING_FOLLOWS;
  if (drop !== null) return { nextAttemptAt: null, abandoned: drop };
  const nextAttemptAt = isOfSchedule ? next() : dueAt;
  return { nextAttemptAt, abandoned: nextAttemptAt === null ? 'schedule_exhausted' : null };
}

function abandonment({ chainId, deliveryId, endpointId }: Ended, { abandoned: reason }: Sequel): readonly ChainEvent[] {
  return reason === null ? [] : [{ type: 'ChainAbandoned', data: { chainId, deliveryId, endpointId, reason } }];
}

function recordOf({ facts: { sample: _, ...facts }, open, succeeded }: Sending): Ended {
  const { deliveryId, attempt, kind, replayedFrom, startedAt, replayJobId } = open;
  return {
    ...facts,
    deliveryId,
    attempt,
    kind,
    replayedFrom,
    startedAt,
    ...(replayJobId !== undefined && { replayJobId }),
    ...(succeeded && { afterSuccess: true as const }),
  };
}

function failureIn(answer: Answer): { readonly responseStatus: number | null; readonly errorCode: string | null } {
  if ('failure' in answer) return { responseStatus: null, errorCode: answer.errorCode ?? null };
  return { responseStatus: answer.responseStatus, errorCode: null };
}

function retryAfterOf(answer: Answer): number | null {
  return 'failure' in answer ? null : answer.retryAfterSeconds;
}
