import { Leases } from '../../engine/leases.js';
import { Presence } from '../../engine/presence.js';
import { SystemClock, SystemRandom } from '../../kernel/clock.js';
import { Holder } from '../../kernel/holder.js';
import type { Position } from '../../kernel/position.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { thisHolder } from '../../stores/holder.js';
import type { Ports } from '../../stores/ports.js';
import { CannotDo } from '../toolbox.js';

/**
 * Runs the work while no service runs on the store. Every process of a service has an entry in the process registry,
 * and a dispatcher holds a lease for each reactor. This function holds these leases, so that no dispatcher can start.
 * The signal of the work aborts when a lease is lost.
 * @param reactors the names of the reactors' checkpoints
 * @throws CliError when a service runs on the store, or a job is running
 */
export async function whileNothingRuns<T>(
  { models, jobs }: Ports,
  reactors: readonly string[],
  signal: AbortSignal,
  work: (still: AbortSignal) => Promise<T>,
): Promise<T> {
  await mustBeAlone(models);
  const leases = new Leases(models, new SystemClock(), new SystemRandom(), thisHolder());
  const done = Promise.withResolvers<T>();
  // The awaiting caller gets the error.
  done.promise.catch(() => undefined);
  await underAll(reactors, leases, signal, async (still) => {
    const [running] = await jobs.list({ status: 'running', limit: 1 });
    if (running !== undefined)
      throw new CannotDo(
        `the job ${running.key} is running: ${running.holder ?? 'a process'} holds its lease until ${running.lease ?? 'soon'}`,
      );
    done.resolve(await work(still));
  });
  return done.promise;
}

/**
 * Passes the last records on, then checks that no service has started and that the log still has the same head. A
 * service that has not recorded an event yet may have claimed jobs that were already copied.
 * @throws CliError when a service has started or the log has changed
 */
export async function* unlessMore<T>(items: AsyncIterable<T>, { events, models }: Ports, head: Position): AsyncIterable<T> {
  yield* items;
  await mustBeAlone(models);
  if ((await events.head()) !== head)
    throw new CannotDo('the log has changed during the copy: a service runs on this store. Stop it first.');
}

async function mustBeAlone(models: ReadModels): Promise<void> {
  const place = await new Presence(models, new SystemClock(), new SystemRandom(), new Holder(thisHolder())).taken();
  if (place !== null) throw inUse(place);
}

type Work = (held: AbortSignal) => Promise<void>;

async function underAll([first, ...others]: readonly string[], leases: Leases, signal: AbortSignal, work: Work): Promise<void> {
  if (first === undefined) return work(signal);
  if (await leases.tryOnce(first, signal, (held) => underAll(others, leases, held, work))) return;
  throw inUse(first);
}

function inUse(lease: string): CannotDo {
  return new CannotDo(`a service runs on this store, or stopped less than 10 s ago: it holds ${lease}. Stop it first.`);
}
