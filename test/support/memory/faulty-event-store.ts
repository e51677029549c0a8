import type { NewEvent } from '../../../src/kernel/event.js';
import { StoreUnavailable, type Appended, type Expected } from '../../../src/kernel/event-store.js';
import { MemoryEventStore } from './event-store.js';

/** A fault of one append: another writer is faster, the response is lost, or the request is lost. */
export type Fault = (write: () => Promise<Appended>) => Promise<Appended>;

export const answerLost: Fault = async (write) => {
  await write();
  throw new StoreUnavailable('the response was lost', true);
};

export const neverArrived: Fault = async () => {
  throw new StoreUnavailable('the request was lost', false);
};

export function after(others: () => Promise<unknown>): Fault {
  return async (write) => {
    await others();
    return write();
  };
}

/** A log in memory that applies the queued faults to the next appends, one each. */
export class FaultyEventStore extends MemoryEventStore {
  readonly faults: Fault[] = [];
  /** Every append requested. */
  readonly asked: { readonly stream: string; readonly expected: Expected; readonly ids: readonly string[] }[] = [];

  override append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<Appended> {
    this.asked.push({ stream, expected, ids: events.map(({ id }) => id) });
    const fault = this.faults.shift() ?? ((write) => write());
    return fault(() => super.append(stream, expected, events));
  }
}
