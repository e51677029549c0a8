import type { Statements } from '../sqlite.js';
import { collectionOperations } from './collections.js';
import { documentOperations } from './documents.js';
import { eventOperations } from './events.js';
import { idempotencyOperations } from './idempotency.js';
import { jobOperations } from './jobs.js';
import { vaultOperations } from './vault.js';

/** Creates all operations that write. Each one checks before it writes, so a refused operation changes nothing. */
export function createOperations(sql: Statements) {
  return {
    ...eventOperations(sql),
    ...collectionOperations(sql),
    ...documentOperations(sql),
    ...jobOperations(sql),
    ...idempotencyOperations(sql),
    ...vaultOperations(sql),
    readSynchronous: (): number => sql.get<{ synchronous: number }>('pragma synchronous')!.synchronous,
  };
}

export type Operations = ReturnType<typeof createOperations>;
export type OperationName = keyof Operations;

/** An operation as it is sent to the writer thread. */
export type Call<N extends OperationName = OperationName> = readonly [name: N, ...args: Parameters<Operations[N]>];

/** The outcome of an operation as it is sent back. */
export type Outcome = { readonly value: unknown } | { readonly failure: string; readonly unavailable: boolean };

export function perform(all: Operations, [name, ...args]: Call): unknown {
  return (all as Record<OperationName, (...args: unknown[]) => unknown>)[name](...args);
}
