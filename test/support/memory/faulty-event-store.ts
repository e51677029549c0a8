import type { NewEvent } from '../../../src/kernel/event.js';
import { StoreUnavailable, type Appended, type Expected } from '../../../src/kernel/event-store.js';
import { MemoryEventStore } from './event-store.js';

/** What happens to one append: somebody else is faster, its answer is lost, or it never arrives. */
export type Fault = (write: () => Promise<Appended>) => Promise<Appended>;

export const answerLost: Fault = async (write) => {
  await write();
  throw new StoreUnavailable('the answer was lost', true);
};

export const neverArrived: Fault = async () => {
  throw new StoreUnavailable('nobody answers', false);
};

export function after(others: () => Promise<unknown>): Fault {
  return async (write) => {
    await others();
    return write();
  };
}

/** A memory log whose next appends meet the given faults, one each. */
export class FaultyEventStore extends MemoryEventStore {
  readonly faults: Fault[] = [];
  /** Every append that was asked for. */
  readonly asked: { readonly stream: string; readonly expected: Expected; readonly ids: readonly string[] }[] = [];

  override append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<Appended> {
    this.asked.push({ stream, expected, ids: events.map(({ id }) => id) });
    const fault = this.faults.shift() ?? ((write) => write());
    return fault(() => super.append(stream, expected, events));
  }
}
