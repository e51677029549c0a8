import type { ConsistencyContext } from '../kernel/context.js';

/** Runs timers of test mode. */
export abstract class DueTimers {
  /**
   * Runs the timers that are due by the test clock of the business, in order, each at its own due time, and then sets the
   * clock to its target. Resolves when the read models show the effects. A job runs what a request leaves.
   * @param untilReady false: stop after the time of a request
   */
  abstract advance(businessId: string, consistency: ConsistencyContext, untilReady: boolean): Promise<void>;
}
