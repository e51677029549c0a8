import { DAY_MS } from '../../kernel/clock.js';
import { OperatorError } from '../operators/operator-error.js';

/** The time of the first events, in the first day. */
const DAY_START_MS = 8 * 3_600_000;
const DAY_LENGTH_MS = 12 * 3_600_000;

/** The days of a demo, in UTC. */
export class DemoPeriod {
  private constructor(
    /** The start of the first day. */
    readonly firstDayMs: number,
    readonly days: number,
  ) {}

  /** @param lastDayMs the start of the last day */
  static endingOn(lastDayMs: number, days: number): DemoPeriod {
    return new DemoPeriod(lastDayMs - (days - 1) * DAY_MS, days);
  }

  /**
   * Returns the days of the demo that begins with an event of this time. An interrupted demo keeps its days.
   * @throws OperatorError when no demo begins so
   */
  static beginningAt(startMs: number, days: number): DemoPeriod {
    // The past of the demo must not follow events of another time.
    if (startMs % DAY_MS !== DAY_START_MS)
      throw new OperatorError('operation_refused', 'the store has other events: set DATA_DIR to a new folder');
    return new DemoPeriod(startMs - DAY_START_MS, days);
  }

  /** The time of the first events. */
  get startMs(): number {
    return this.firstDayMs + DAY_START_MS;
  }

  /** The number of the last day since 1970. */
  get lastDay(): number {
    return this.firstDayMs / DAY_MS + this.days - 1;
  }

  /** Returns a time in a day. @param part of the working hours, from 0 to 1 */
  timeIn(day: number, part: number): number {
    return this.startMs + day * DAY_MS + Math.floor(part * DAY_LENGTH_MS);
  }
}
