import type { ConsistencyContext } from '../kernel/context.js';

/** Runs timers of test mode. */
export abstract class DueTimers {
  /**
   * Runs the timers that are due by the test clock of the business, in order, each at its own due time. Resolves when
   * the read models show their effects.
   */
  abstract runDue(businessId: string, consistency: ConsistencyContext): Promise<void>;
}
