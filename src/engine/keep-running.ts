import { type BackgroundWork, reportFailure } from '../kernel/background-errors.js';
import { drawBackoff } from '../kernel/backoff.js';
import type { Clock, Random } from '../kernel/clock.js';

/** Runs endless work until the signal aborts. Work that fails is reported and starts again. */
export async function keepRunning(
  work: BackgroundWork,
  start: () => Promise<void>,
  signal: AbortSignal,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Promise<void> {
  for (let failures = 1; ; failures++) {
    try {
      return await start();
    } catch (error) {
      if (signal.aborted) return;
      reportFailure(work, error);
      await clock.sleep(drawBackoff(failures, random), signal);
    }
  }
}

/** Waits for the work of an item. Removes the item after a failure, because the next start adds another one. */
export async function removeOnFailure<T>(items: T[], item: T, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    items.splice(items.indexOf(item), 1);
    throw error;
  }
}
