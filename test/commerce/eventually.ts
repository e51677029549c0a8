import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 10_000;
const PAUSE_MS = 20;

/** Reads until it is so; what was read last is in the error. */
export async function eventually<T>(read: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await read();
    if (isSo(value)) return value;
    if (Date.now() > end) throw new Error(`It did not come to be: ${JSON.stringify(value)}`);
    await delay(PAUSE_MS);
  }
}
