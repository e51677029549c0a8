import { setTimeout as delay } from 'node:timers/promises';

const TIMEOUT_MS = 30_000;
const POLL_INTERVAL_MS = 20;

/** Reads until the condition holds. The error contains the last value. */
export async function eventually<T>(read: () => Promise<T>, condition: (value: T) => boolean): Promise<T> {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const value = await read();
    if (condition(value)) return value;
    if (Date.now() > end) throw new Error(`The condition did not hold in time: ${JSON.stringify(value)}`);
    await delay(POLL_INTERVAL_MS);
  }
}
