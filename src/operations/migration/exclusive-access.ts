import { LeaseRunner } from '../../engine/lease-runner.js';
import { ProcessRegistry } from '../../engine/process-registry.js';
import { SystemClock, SystemRandom } from '../../kernel/clock.js';
import type { Position } from '../../kernel/position.js';
import { ProcessId } from '../../kernel/process-id.js';
import type { Ports } from '../../stores/ports.js';
import { currentProcessId } from '../../stores/process-id.js';
import { CliError } from '../cli/cli.js';
import type { MigrationSource } from './export-reader.js';

/**
 * Runs the work while no service runs on the store. Every process of a service has an entry in the process registry,
 * and a dispatcher holds a lease for each reactor. This function holds these leases, so that no dispatcher can start.
 * The signal of the work aborts when a lease is lost.
 * @throws CliError when a service runs on the store, or a job is running
 */
export async function withExclusiveAccess<T>(
  { ports, reactors }: MigrationSource,
  signal: AbortSignal,
  work: (held: AbortSignal) => Promise<T>,
): Promise<T> {
  await requireNoService(ports);
  const leases = new LeaseRunner(ports.leases, new SystemClock(), new SystemRandom(), currentProcessId());
  const results: T[] = [];
  const runWithLeases = async (held: AbortSignal, [first, ...others]: readonly string[]): Promise<void> => {
    if (first === undefined) {
      await requireNoRunningJob(ports);
      results.push(await work(held));
    } else if (!(await leases.tryOnce(first, held, (next) => runWithLeases(next, others)))) throw toInUseError(first);
  };
  await runWithLeases(signal, reactors);
  return results[0]!;
}

/**
 * Passes the items on, then checks that no service has started and that the log still has the same head. A service
 * that has not recorded an event yet may have claimed jobs that were already copied.
 * @throws CliError when a service has started or the log has changed
 */
export async function* requireUnchanged<T>(items: AsyncIterable<T>, ports: Ports, head: Position): AsyncIterable<T> {
  yield* items;
  await requireNoService(ports);
  if ((await ports.events.readHead()) !== head)
    throw new CliError('the log has changed during the copy: a service runs on this store. Stop it first.');
}

async function requireNoService({ checkpoints, leases }: Ports): Promise<void> {
  const id = new ProcessId(currentProcessId());
  const registry = new ProcessRegistry(checkpoints, leases, new SystemClock(), new SystemRandom(), id);
  const lease = await registry.findActive();
  if (lease !== null) throw toInUseError(lease);
}

async function requireNoRunningJob({ jobs }: Ports): Promise<void> {
  const [running] = await jobs.list({ status: 'running', limit: 1 });
  if (running === undefined) return;
  const { key, holder, lease } = running;
  throw new CliError(`the job ${key} is running: ${holder ?? 'a process'} holds its lease until ${lease ?? 'soon'}`);
}

function toInUseError(lease: string): CliError {
  return new CliError(`a service runs on this store, or stopped less than 10 s ago: it holds ${lease}. Stop it first.`);
}
