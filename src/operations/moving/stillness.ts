import { Leases } from '../../engine/leases.js';
import { SystemClock, SystemRandom } from '../../kernel/clock.js';
import { thisHolder } from '../../stores/holder.js';
import type { Ports } from '../../stores/ports.js';
import { CannotDo } from '../toolbox.js';

/**
 * Runs the work while nothing reacts on the store: whoever reacts holds a lease for each reactor, and these are held here meanwhile. Its
 * signal aborts when they are lost.
 * @param reactors the names of their checkpoints
 * @throws CannotDo when a service has them, or a job is running
 */
export async function whileNothingReacts<T>(
  { models, jobs }: Ports,
  reactors: readonly string[],
  signal: AbortSignal,
  work: (still: AbortSignal) => Promise<T>,
): Promise<T> {
  const leases = new Leases(models, new SystemClock(), new SystemRandom(), thisHolder());
  const done = Promise.withResolvers<T>();
  // Whoever waits for it hears of it.
  done.promise.catch(() => undefined);
  await underAll(reactors, leases, signal, async (still) => {
    const [running] = await jobs.list({ status: 'running', limit: 1 });
    if (running !== undefined)
      throw new CannotDo(`the job ${running.key} is running: ${running.holder ?? 'somebody'} has it until ${running.lease ?? 'soon'}`);
    done.resolve(await work(still));
  });
  return done.promise;
}

type Work = (held: AbortSignal) => Promise<void>;

async function underAll([first, ...others]: readonly string[], leases: Leases, signal: AbortSignal, work: Work): Promise<void> {
  if (first === undefined) return work(signal);
  if (await leases.tryOnce(first, signal, (held) => underAll(others, leases, held, work))) return;
  throw new CannotDo(`a service runs on this store, or has ended less than 10 s ago: it has ${first}. Stop it first.`);
}
