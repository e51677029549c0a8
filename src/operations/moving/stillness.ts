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
 * Runs the work while no service is on the store. One that only answers requests has a place there; whoever reacts holds a lease for each
 * reactor, and these are held here meanwhile, so that nobody begins to. The work's signal aborts when they are lost.
 * @param reactors the names of their checkpoints
 * @throws CannotDo when a service has any of these, or a job is running
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

/**
 * What moves last, and then a look whether the log still ends where it did: a service may have begun meanwhile, and one that has recorded
 * nothing yet may have claimed jobs that have moved.
 * @throws CannotDo when one has
 */
export async function* unlessMore<T>(items: AsyncIterable<T>, { events, models }: Ports, head: Position): AsyncIterable<T> {
  yield* items;
  await mustBeAlone(models);
  if ((await events.head()) !== head) throw new CannotDo('something was recorded meanwhile: a service runs on this store. Stop it first.');
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
  return new CannotDo(`a service runs on this store, or has ended less than 10 s ago: it has ${lease}. Stop it first.`);
}
