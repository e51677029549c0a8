import { addMs, DAY_MS } from '../../kernel/clock.js';
import type { EventOf } from '../../kernel/projection.js';
import { classifyFailure } from './attempt-result.js';
import { applyAttemptEnd, type CircuitBreaker, CLOSED } from './circuit-breaker.js';
import type { DeliveryChainEvent } from './delivery-chain/facts.js';

export const DISABLE_AFTER_DAYS = 5;
const DISABLE_AFTER_RETRYABLE_FAILURES = 20;
/** Refusals count only when there are this many within those days, and nothing else. */
const MIN_REFUSALS = 50;
const WARN_AFTER_DAYS = [3, 1] as const;
/**
 * This many refusals within an hour of a rotation, without a success between them, mean that the receiver missed it.
 */
const MIN_REFUSALS_AFTER_ROTATION = 5;
const ROTATION_WINDOW_MS = 3_600_000;

/** The health of an endpoint, derived from its deliveries. Test events do not count. */
export interface EndpointHealth extends CircuitBreaker {
  /** The time of the first failure since the last success, or since the endpoint was enabled. */
  readonly failing_since: string | null;
  /** The number of retryable failures since `failing_since`. */
  readonly retryable_failures: number;
  /** The time at which an attempt last ended with another result than a refusal. */
  readonly unrefused_at: string | null;
  /** The latest days with refusals, oldest first, as far as the rules look back. */
  readonly days: readonly RefusalsOfDay[];
  readonly rotated_at: string | null;
  /** The number of refusals since the rotation, or since the last success after it. */
  readonly refused_since_rotation: number;
  /** The number of disablings. A decision is valid only while this number stays the same. */
  readonly disabled_times: number;
}

interface RefusalsOfDay {
  readonly day: string;
  readonly refused: number;
}

export const NO_HISTORY: EndpointHealth = {
  ...CLOSED,
  failing_since: null,
  retryable_failures: 0,
  unrefused_at: null,
  days: [],
  rotated_at: null,
  refused_since_rotation: 0,
  disabled_times: 0,
};

export function applySuccess(
  health: EndpointHealth,
  end: EventOf<DeliveryChainEvent, 'AttemptSucceeded'>,
): EndpointHealth {
  const { rotated_at, disabled_times } = health;
  return { ...NO_HISTORY, rotated_at, disabled_times, unrefused_at: end.meta.at };
}

export function applyFailure(
  health: EndpointHealth,
  end: EventOf<DeliveryChainEvent, 'AttemptFailed'>,
): EndpointHealth {
  const { at } = end.meta;
  const kind = classifyFailure(end.data.reason);
  if (kind === 'service') return health;
  const failed = { ...health, ...applyAttemptEnd(health, end), failing_since: health.failing_since ?? at };
  return kind === 'client_error'
    ? applyRefusal(failed, at)
    : { ...failed, retryable_failures: failed.retryable_failures + 1, unrefused_at: at };
}

function applyRefusal(health: EndpointHealth, at: string): EndpointHealth {
  const refused_since_rotation = health.refused_since_rotation + (health.rotated_at === null ? 0 : 1);
  return { ...health, days: addRefusal(health.days, at), refused_since_rotation };
}

/** Resets the health, except for the rotation and the number of disablings. */
export function applyEnabling({ rotated_at, disabled_times }: EndpointHealth): EndpointHealth {
  return { ...NO_HISTORY, rotated_at, disabled_times };
}

/** Closes the circuit breaker: nothing is known about the receiver at the new URL. */
export function applyNewUrl(health: EndpointHealth): EndpointHealth {
  return { ...health, ...CLOSED };
}

export function applyRotation(health: EndpointHealth, at: string): EndpointHealth {
  return { ...health, rotated_at: at, refused_since_rotation: 0 };
}

/** A warning to the owner of an endpoint. It is stored: the names must never change. */
export interface EndpointWarning {
  readonly reason: 'failing' | 'refused_after_rotation';
  /** The time of the first failure since the last success, or of the rotation. */
  readonly since: string;
  /** The number of days of failure for the reason `failing`; otherwise null. */
  readonly days: number | null;
  readonly failures: number;
}

export type HealthDecision =
  { readonly disable: Omit<EndpointWarning, 'reason'> } | { readonly warn: EndpointWarning } | null;

/** Decides whether to disable the endpoint or to warn its owner after one more failure. */
export function evaluateHealth(health: EndpointHealth, now: string): HealthDecision {
  const failing = findFailingPeriod(health, now);
  if (failing !== null && failing.days >= DISABLE_AFTER_DAYS && hasFailedEnough(health, now))
    return { disable: failing };
  if (hasMissedRotation(health, now)) {
    return {
      warn: {
        reason: 'refused_after_rotation',
        since: health.rotated_at!,
        days: null,
        failures: health.refused_since_rotation,
      },
    };
  }
  const days = WARN_AFTER_DAYS.find((after) => failing !== null && failing.days >= after);
  return days === undefined ? null : { warn: { reason: 'failing', ...failing!, days } };
}

/** Returns null when no relevant delivery has failed. */
function findFailingPeriod(
  health: EndpointHealth,
  now: string,
): { since: string; days: number; failures: number } | null {
  const { failing_since: since, retryable_failures } = health;
  if (since === null) return null;
  const failures = retryable_failures > 0 ? retryable_failures : countRefusals(health, now);
  return failures === 0 ? null : { since, days: Math.floor((Date.parse(now) - Date.parse(since)) / DAY_MS), failures };
}

function hasFailedEnough(health: EndpointHealth, now: string): boolean {
  return health.retryable_failures >= DISABLE_AFTER_RETRYABLE_FAILURES || countRefusals(health, now) > 0;
}

function countRefusals({ unrefused_at, days }: EndpointHealth, now: string): number {
  const from = addMs(now, -DISABLE_AFTER_DAYS * DAY_MS);
  if (unrefused_at !== null && unrefused_at >= from) return 0;
  const refused = days.filter(({ day }) => day >= from.slice(0, 10)).reduce((sum, day) => sum + day.refused, 0);
  return refused >= MIN_REFUSALS ? refused : 0;
}

function hasMissedRotation({ rotated_at, refused_since_rotation }: EndpointHealth, now: string): boolean {
  if (rotated_at === null || refused_since_rotation < MIN_REFUSALS_AFTER_ROTATION) return false;
  return Date.parse(now) - Date.parse(rotated_at) <= ROTATION_WINDOW_MS;
}

function addRefusal(days: readonly RefusalsOfDay[], at: string): readonly RefusalsOfDay[] {
  const day = at.slice(0, 10);
  const known = days.find((one) => one.day === day) ?? { day, refused: 0 };
  const others = days.filter((one) => one.day !== day);
  return [...others, { day, refused: known.refused + 1 }].slice(-DISABLE_AFTER_DAYS - 1);
}
