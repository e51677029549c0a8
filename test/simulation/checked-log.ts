import type { Clock } from '../../src/kernel/clock.js';
import type { NewEvent } from '../../src/kernel/event.js';
import type { AppendResult, ExpectedRevision } from '../../src/kernel/event-store.js';
import { MemoryEventStore } from '../support/memory/event-store.js';
import type { OnlineChecks } from './online-checks.js';

/** A log that passes each recorded event to the checks of the run. */
export class CheckedLog extends MemoryEventStore {
  constructor(
    clock: Clock,
    readonly checks: OnlineChecks,
  ) {
    super(clock);
  }

  override async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<AppendResult> {
    const before = this.log.length;
    const appended = await super.append(stream, expected, events);
    for (const event of this.log.slice(before)) this.checks.check(event);
    return appended;
  }
}
