import type { NewEvent } from '../../src/kernel/event.js';
import type { Appended, Expected } from '../../src/kernel/event-store.js';
import type { Clock } from '../../src/kernel/clock.js';
import { MemoryEventStore } from '../support/memory/event-store.js';
import type { AlongTheWay } from './along-the-way.js';

/** A log that passes each recorded event to the checks of the run. */
export class WatchedLog extends MemoryEventStore {
  constructor(
    clock: Clock,
    readonly watch: AlongTheWay,
  ) {
    super(clock);
  }

  override async append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<Appended> {
    const before = this.log.length;
    const appended = await super.append(stream, expected, events);
    for (const event of this.log.slice(before)) this.watch.saw(event);
    return appended;
  }
}
