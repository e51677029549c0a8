import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 10_000;
const PAUSE_MS = 20;

/** Reads until the condition holds. The error contains the last value. */
export async function eventually<T>(read: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await read();
    if (isSo(value)) return value;
    if (Date.now() > end) throw new Error(`The condition did not hold in time: ${JSON.stringify(value)}`);
    await delay(PAUSE_MS);
  }
}
