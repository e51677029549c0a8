import { addMs, MAX_CLOCK_SKEW_MS } from '../../kernel/clock.js';

/** Returns whether a past time lies so far in the future that the clock of its process was ahead. */
export function isDatedAhead(pastAt: string, now: string): boolean {
  return pastAt > addMs(now, MAX_CLOCK_SKEW_MS);
}
