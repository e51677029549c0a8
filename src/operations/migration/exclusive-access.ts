import { LeaseRunner } from '../../engine/lease-runner.js';
import { ProcessRegistry } from '../../engine/process-registry.js';
import { SystemClock, SystemRandom } from '../../kernel/clock.js';
import type { Position } from '../../kernel/position.js';
import { ProcessId } from '../../kernel/process-id.js';
import type { Ports } from '../../stores/ports.js';
import { currentProcessId } from '../../stores/process-id.js';
import { CliError } from '../cli/cli.js';

/**
 * Runs the work while no service runs on the store. Every process of a service has an entry in the process registry,
 * and a dispatcher holds a lease for each reactor. This function holds these leases, so that no dispatcher can start.
 * The signal of the work aborts when a lease is lost.
 * @param reactors the names of the reactors' checkpoints
 * @throws CliError when a service runs on the store, or a job is running
 */
export async function withExclusiveAccess<T>(
  ports: Ports,
  reactors: readonly string[],
  signal: AbortSignal,
  work: (still: AbortSignal) => Promise<T>,
): Promise<T> {
  await requireNoService(ports);
  const leaseRunner = new LeaseRunner(ports.leases, new SystemClock(), new SystemRandom(), currentProcessId());
  const done = Promise.withResolvers<T>();
  // The awaiting caller gets the error.
  done.promise.catch(() => undefined);
  await withLeases(reactors, leaseRunner, signal, async (still) => {
    const [running] = await ports.jobs.list({ status: 'running', limit: 1 });
    if (running !== undefined)
      throw new CliError(
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
export async function* requireUnchanged<T>(items: AsyncIterable<T>, ports: Ports, head: Position): AsyncIterable<T> {
  yield* items;
  await requireNoService(ports);
  if ((await ports.events.readHead()) !== head)
    throw new CliError('the log has changed during the copy: a service runs on this store. Stop it first.');
}

async function requireNoService({ checkpoints, leases }: Ports): Promise<void> {
  const lease = await new ProcessRegistry(
    checkpoints,
    leases,
    new SystemClock(),
    new SystemRandom(),
    new ProcessId(currentProcessId()),
  ).findActive();
  if (lease !== null) throw toInUseError(lease);
}

type Work = (held: AbortSignal) => Promise<void>;

async function withLeases(
  [first, ...others]: readonly string[],
  leaseRunner: LeaseRunner,
  signal: AbortSignal,
  work: Work,
): Promise<void> {
  if (first === undefined) return work(signal);
  if (await leaseRunner.tryOnce(first, signal, (leaseSignal) => withLeases(others, leaseRunner, leaseSignal, work)))
    return;
  throw toInUseError(first);
}

function toInUseError(lease: string): CliError {
  return new CliError(`a service runs on this store, or stopped less than 10 s ago: it holds ${lease}. Stop it first.`);
}
