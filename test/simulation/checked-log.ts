import type { Clock } from '../../src/kernel/clock.js';
import type { NewEvent } from '../../src/kernel/event.js';
import type { AppendResult, ExpectedRevision } from '../../src/kernel/event-store.js';
import { MemoryEventStore } from '../support/memory/event-store.js';
import type { OnlineChecks } from './online-checks.js';

/** A log that passes each recorded event to the checks of the run. */
export class CheckedLog extends MemoryEventStore {
  private watched: { readonly type: string; readonly happen: () => void } | null = null;

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
    for (const event of this.log.slice(before)) {
      this.checks.check(event);
      this.notifyOf(event.type);
    }
    return appended;
  }

  /** Calls `happen` once, when the next event of the type is recorded. It replaces an earlier call of this method. */
  onNext(type: string, happen: () => void): void {
    this.watched = { type, happen };
  }

  clearNext(): void {
    this.watched = null;
  }

  private notifyOf(type: string): void {
    if (this.watched?.type !== type) return;
    const { happen } = this.watched;
    this.watched = null;
    happen();
  }
}
