import type { Reschedule } from '../../../engine/registry.js';
import type { Context } from '../../../kernel/context.js';
import { declareQueue, type Queue } from '../../../kernel/queue.js';
import type { TimerKind } from '../../projections/timer-changes.js';
import type { Timer } from '../../projections/timers.js';

/**
 * The context of a timer's run. Its command id derives from the timer, so that a repeated run has an effect once, and
 * `now` is the due time when a test clock runs the timer.
 */
export type TimerContext = Context & Required<Pick<Context, 'now'>>;

/** Does the work of one kind of timer. */
export interface TimerHandler {
  readonly kind: TimerKind;
  /** The actor of its commands. */
  readonly name: string;
  readonly queue: Queue<Timer>;
  /**
   * Runs at least once for a timer, also for one that an event has ended or moved: the decider ignores a timer that no
   * longer fits. A Reschedule repeats the run at a real time.
   */
  run(id: string, context: TimerContext): Promise<void | Reschedule>;
}

/** Declares a queue of timers. They all have the same data. */
export function declareTimerQueue(name: string): Queue<Timer> {
  return declareQueue<Timer>({ name });
}
