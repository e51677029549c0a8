import { addMs } from '../../../kernel/clock.js';
import { type AttemptResult, classifyResult } from '../attempt-result.js';
import { scheduleNextAttempt } from '../retry-schedule.js';
import { findDropReason } from './attempt-drop.js';
import type { AbandonReason, Decision, EndedAttempt, LoseAttempt, RecordAttemptResult, SendingChain } from './facts.js';

/**
 * The follow-up of a failed attempt: the time of the next automatic attempt, or the reason why an expected attempt is
 * abandoned.
 */
interface FollowUp {
  readonly nextAttemptAt: string | null;
  readonly abandoned: AbandonReason | null;
}

/**
 * Leases show whether an owner has ended. When a lease is lost, clocks of processes may differ by at most this time.
 */
const MAX_CLOCK_SKEW_MS = 60_000;

const NO_FOLLOW_UP: FollowUp = { nextAttemptAt: null, abandoned: null };

export function recordResult(
  chain: SendingChain,
  { result: answer, endpointState, retries }: RecordAttemptResult,
  now: string,
): Decision {
  const record = toEndedAttempt(chain);
  const classified = classifyResult(answer);
  if (classified.outcome === 'success')
    return [
      {
        type: 'AttemptSucceeded',
        data: { ...record, responseStatus: classified.responseStatus, durationMs: classified.durationMs, endedAt: now },
      },
    ];

  const next = () => scheduleNextAttempt(chain.automatic, retries, now, findRetryAfter(answer));
  const dropReason = endpointState && findDropReason(chain, endpointState, now);
  const followUp = classified.outcome === 'final' ? NO_FOLLOW_UP : decideFollowUp(chain, next, dropReason);
  const { nextAttemptAt } = followUp;
  const { reason } = classified;
  const failed = { ...record, reason, ...toResponseFields(answer), durationMs: answer.durationMs, nextAttemptAt };
  return [{ type: 'AttemptFailed', data: failed }, ...toAbandonedEvents(record, followUp)];
}

/** Records an attempt as lost when its owner has ended, or when its lease has expired on every clock. */
export function loseAttempt(chain: SendingChain, { laterOwner, retries }: LoseAttempt, now: string): Decision {
  if (now < findLeaseEnd(chain.open) && !hasOwnerEnded(chain, laterOwner)) return [];
  const record = toEndedAttempt(chain);
  const next = () => (chain.automatic <= retries.schedule.length ? now : null);
  const followUp = decideFollowUp(chain, next, chain.attempts >= chain.facts.maxAttempts ? 'attempts_exhausted' : null);
  return [
    { type: 'AttemptLost', data: { ...record, nextAttemptAt: followUp.nextAttemptAt } },
    ...toAbandonedEvents(record, followUp),
  ];
}

/**
 * Adds the clock skew, because the owner's clock may be slow. Attempts of earlier versions have no owner, only a lease.
 */
function findLeaseEnd({ owner, leaseUntil }: SendingChain['open']): string {
  return owner === null ? leaseUntil : addMs(leaseUntil, MAX_CLOCK_SKEW_MS);
}

function hasOwnerEnded({ open: { owner } }: SendingChain, laterOwner: LoseAttempt['laterOwner']): boolean {
  return owner !== null && laterOwner !== null && owner.job === laterOwner.job && owner.attempt < laterOwner.attempt;
}

/**
 * Only an attempt of the schedule or of a replay job has a next one. After a replay, a waiting retry keeps its due
 * time.
 */
function decideFollowUp(
  { open, dueAt }: SendingChain,
  next: () => string | null,
  drop: AbandonReason | null,
): FollowUp {
  const isScheduled = open.kind === 'automatic' || open.kind === 'job';
  if (!isScheduled && dueAt === null) return NO_FOLLOW_UP;
  if (drop !== null) return { nextAttemptAt: null, abandoned: drop };
  const nextAttemptAt = isScheduled ? next() : dueAt;
  return { nextAttemptAt, abandoned: nextAttemptAt === null ? 'schedule_exhausted' : null };
}

function toAbandonedEvents(
  { chainId, deliveryId, endpointId }: EndedAttempt,
  { abandoned: reason }: FollowUp,
): Decision {
  return reason === null ? [] : [{ type: 'DeliveryChainAbandoned', data: { chainId, deliveryId, endpointId, reason } }];
}

function toEndedAttempt({ facts: { sample: _, ...facts }, open, succeeded }: SendingChain): EndedAttempt {
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

function toResponseFields(answer: AttemptResult): {
  readonly responseStatus: number | null;
  readonly errorCode: string | null;
} {
  if ('failure' in answer) return { responseStatus: null, errorCode: answer.errorCode ?? null };
  return { responseStatus: answer.responseStatus, errorCode: null };
}

function findRetryAfter(answer: AttemptResult): number | null {
  return 'failure' in answer ? null : answer.retryAfterSeconds;
}
