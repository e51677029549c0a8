import type { AppendFault } from './faulty-event-store.js';

/** An append without a crash. */
export const succeed: AppendFault = (write) => write();

export const crashBefore: AppendFault = async () => {
  throw new Error('crash');
};

/** The event is recorded, and its process does not get the result. */
export const crashAfter: AppendFault = async (write) => {
  await write();
  throw new Error('crash');
};

/** Returns the faults of a process that crashes at its `nth` append. */
export function crashAt(nth: number, crash: AppendFault): AppendFault[] {
  return [...Array<AppendFault>(nth - 1).fill(succeed), crash];
}
