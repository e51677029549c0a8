import { DAY_MS, isoAfter } from '../../kernel/clock.js';
import type { EventOf } from '../../kernel/projection.js';
import { failureClassOf } from './answer.js';
import { breakerAfter, CLOSED, type Breaker } from './breaker.js';
import type { ChainEvent } from './chain.js';

const DISABLED_AFTER_DAYS = 5;
const DISABLED_AFTER_RETRYABLE_FAILURES = 20;
/** Refusals count only when there are this many within those days, and nothing else. */
const REFUSALS_THAT_COUNT = 50;
const WARNED_AFTER_DAYS = [3, 1] as const;
/**
 * This many refusals within an hour of a rotation, without a success between them, mean that the receiver missed it.
 */
const REFUSALS_AFTER_ROTATION = 5;
const ROTATION_REMEMBERED_MS = 3_600_000;

/** The health of an endpoint, derived from its deliveries. Test events do not count. */
export interface Health extends Breaker {
  /** The time of the first failure since the last success, or since the endpoint was enabled. */
  readonly failing_since: string | null;
  /** The number of retryable failures since `failing_since`. */
  readonly retryable_failures: number;
  /** The time at which an attempt last ended with another result than a refusal. */
  readonly unrefused_at: string | null;
  /** The latest days with refusals, oldest first, as far as the rules look back. */
  readonly days: readonly Day[];
  readonly rotated_at: string | null;
  /** The number of refusals since the rotation, or since the last success after it. */
  readonly refused_since_rotation: number;
  /** The number of disablings. A decision is valid only while this number stays the same. */
  readonly disabled_times: number;
}

interface Day {
  readonly day: string;
  readonly refused: number;
}

export const NOTHING_KNOWN: Health = {
  ...CLOSED,
  failing_since: null,
  retryable_failures: 0,
  unrefused_at: null,
  days: [],
  rotated_at: null,
  refused_since_rotation: 0,
  disabled_times: 0,
};

export function afterSuccess(health: Health, end: EventOf<ChainEvent, 'AttemptSucceeded'>): Health {
  const { rotated_at, disabled_times } = health;
  return { ...NOTHING_KNOWN, rotated_at, disabled_times, unrefused_at: end.meta.at };
}

export function afterFailure(health: Health, end: EventOf<ChainEvent, 'AttemptFailed'>): Health {
  const { at } = end.meta;
  const kind = failureClassOf(end.data.reason);
  if (kind === 'service') return health;
  const failed = { ...health, ...breakerAfter(health, end), failing_since: health.failing_since ?? at };
  return kind === 'client_error'
    ? afterRefusal(failed, at)
    : { ...failed, retryable_failures: failed.retryable_failures + 1, unrefused_at: at };
}

function afterRefusal(health: Health, at: string): Health {
  const refused_since_rotation = health.refused_since_rotation + (health.rotated_at === null ? 0 : 1);
  return { ...health, days: counted(health.days, at), refused_since_rotation };
}

/** Resets the health, except for the rotation and the number of disablings. */
export function afterEnabling({ rotated_at, disabled_times }: Health): Health {
  return { ...NOTHING_KNOWN, rotated_at, disabled_times };
}

export function afterRotation(health: Health, at: string): Health {
  return { ...health, rotated_at: at, refused_since_rotation: 0 };
}

/** A warning to the owner of an endpoint. It is stored: the names must never change. */
export interface Warning {
  readonly reason: 'failing' | 'refused_after_rotation';
  /** The time of the first failure since the last success, or of the rotation. */
  readonly since: string;
  /** The number of days of failure for the reason `failing`; otherwise null. */
  readonly days: number | null;
  readonly failures: number;
}

export type Judgement = { readonly disable: Omit<Warning, 'reason'> } | { readonly warn: Warning } | null;

/** Decides whether to disable the endpoint or to warn its owner after one more failure. */
export function judged(health: Health, now: string): Judgement {
  const failing = failingFor(health, now);
  if (failing !== null && failing.days >= DISABLED_AFTER_DAYS && isHopeless(health, now)) return { disable: failing };
  if (wasMissed(health, now)) {
    return { warn: { reason: 'refused_after_rotation', since: health.rotated_at!, days: null, failures: health.refused_since_rotation } };
  }
  const days = WARNED_AFTER_DAYS.find((after) => failing !== null && failing.days >= after);
  return days === undefined ? null : { warn: { reason: 'failing', ...failing!, days } };
}

/** Returns null when no relevant delivery has failed. */
function failingFor(health: Health, now: string): { since: string; days: number; failures: number } | null {
  const { failing_since: since, retryable_failures } = health;
  if (since === null) return null;
  const failures = retryable_failures > 0 ? retryable_failures : refusalsThatCount(health, now);
  return failures === 0 ? null : { since, days: Math.floor((Date.parse(now) - Date.parse(since)) / DAY_MS), failures };
}

function isHopeless(health: Health, now: string): boolean {
  return health.retryable_failures >= DISABLED_AFTER_RETRYABLE_FAILURES || refusalsThatCount(health, now) > 0;
}

function refusalsThatCount({ unrefused_at, days }: Health, now: string): number {
  const from = isoAfter(now, -DISABLED_AFTER_DAYS * DAY_MS);
  if (unrefused_at !== null && unrefused_at >= from) return 0;
  const refused = days.filter(({ day }) => day >= from.slice(0, 10)).reduce((sum, day) => sum + day.refused, 0);
  return refused >= REFUSALS_THAT_COUNT ? refused : 0;
}

function wasMissed({ rotated_at, refused_since_rotation }: Health, now: string): boolean {
  if (rotated_at === null || refused_since_rotation < REFUSALS_AFTER_ROTATION) return false;
  return Date.parse(now) - Date.parse(rotated_at) <= ROTATION_REMEMBERED_MS;
}

function counted(days: readonly Day[], at: string): readonly Day[] {
  const day = at.slice(0, 10);
  const known = days.find((one) => one.day === day) ?? { day, refused: 0 };
  const others = days.filter((one) => one.day !== day);
  return [...others, { day, refused: known.refused + 1 }].slice(-DISABLED_AFTER_DAYS - 1);
}
