import type { NewEvent } from '../../../src/kernel/event.js';
import { type AppendResult, type ExpectedRevision, StoreUnavailable } from '../../../src/kernel/event-store.js';
import { MemoryEventStore } from './event-store.js';

/** A fault of one append: another writer is faster, the response is lost, or the request is lost. */
export type AppendFault = (write: () => Promise<AppendResult>) => Promise<AppendResult>;

export const loseResponse: AppendFault = async (write) => {
  await write();
  throw new StoreUnavailable('the response was lost', true);
};

export const loseRequest: AppendFault = async () => {
  throw new StoreUnavailable('the request was lost', false);
};

export function runBefore(others: () => Promise<unknown>): AppendFault {
  return async (write) => {
    await others();
    return write();
  };
}

/** A log in memory that applies the queued faults to the next appends, one each. */
export class FaultyEventStore extends MemoryEventStore {
  readonly faults: AppendFault[] = [];
  /** Every append requested. */
  readonly requestedAppends: {
    readonly stream: string;
    readonly expected: ExpectedRevision;
    readonly ids: readonly string[];
  }[] = [];

  override append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    this.requestedAppends.push({ stream, expected, ids: events.map(({ id }) => id) });
    const fault = this.faults.shift() ?? ((write) => write());
    return fault(() => super.append(stream, expected, events));
  }
}
