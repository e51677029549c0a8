/** The largest tolerated difference between the clocks of two processes. */
export const MAX_CLOCK_SKEW_MS = 5 * 60_000;

/** The only source of time and delays in kernel and engine, so that a simulation can control it. */
export abstract class Clock {
  /** Milliseconds since 1970, UTC. May jump. */
  abstract now(): number;
  /** Milliseconds that never decrease, to measure durations. */
  abstract monotonic(): number;
  /** Resolves after `ms`, or as soon as `signal` aborts; never rejects. */
  abstract sleep(ms: number, signal?: AbortSignal): Promise<void>;

  /**
   * Returns how many milliseconds a loop waits before its next poll, when it polls about once per interval. Only the
   * system's clock lets loops poll together: the schedules of a simulation depend on plain intervals.
   */
  computePollDelay(intervalMs: number): number {
    return intervalMs;
  }
}

export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }

  /** Loops with the same interval wait until the same time, and wake an idle process about once. */
  override computePollDelay(intervalMs: number): number {
    return msUntilNext(intervalMs, this);
  }
}

/** A timer may end a little before its time. */
const EARLY_TIMER_MS = 2;

/** Returns the milliseconds until the next multiple of the interval. */
export function msUntilNext(intervalMs: number, clock: Clock): number {
  const left = intervalMs - (clock.monotonic() % intervalMs);
  return left < EARLY_TIMER_MS ? left + intervalMs : left;
}

/** A clock in place of the system's clock. A module provides it to change the time of the whole service. */
export abstract class ClockOverride extends Clock {}

/** The only source of random numbers in kernel and engine. */
export abstract class Random {
  /** At least 0, below 1. */
  abstract next(): number;
}

export abstract class RandomOverride extends Random {}

export class SystemRandom extends Random {
  next(): number {
    return Math.random();
  }
}

/** The text of the latest time: under load many events have the same millisecond. */
let latest = { ms: 0, text: new Date(0).toISOString() };

/** The last time whose year has four digits. Times are compared as texts, and a longer year would sort first. */
export const LATEST_TIME = '9999-12-31T23:59:59.999Z';
const LATEST_MS = Date.parse(LATEST_TIME);

/** Returns the time in ISO 8601, at most LATEST_TIME. */
export function toIso(ms: number): string {
  if (ms !== latest.ms) latest = { ms, text: new Date(Math.min(ms, LATEST_MS)).toISOString() };
  return latest.text;
}

/** A time that was cut to LATEST_TIME, or that older code recorded with a longer year, is never due. */
export function isDue(due: string, at: string): boolean {
  return due.length === LATEST_TIME.length && due < LATEST_TIME && due <= at;
}

/** Returns the later of two times in ISO 8601. */
export function pickLaterTime(a: string, b: string): string {
  return a > b ? a : b;
}

export const DAY_MS = 86_400_000;

/** Adds `ms` to a time in ISO 8601. The sum is at most LATEST_TIME. */
export function addMs(at: string, ms: number): string {
  return toIso(Date.parse(at) + ms);
}
