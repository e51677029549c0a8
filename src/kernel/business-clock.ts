import type { Context } from './context.js';

/**
 * The time by which a business sells: real time in live mode, and in test mode until the business sets its test clock,
 * which is frozen from then on.
 */
export abstract class BusinessClock {
  /** Returns the time of a command: ISO 8601, UTC, milliseconds. */
  abstract now(context: Pick<Context, 'business' | 'mode' | 'now'>): Promise<string>;
}
