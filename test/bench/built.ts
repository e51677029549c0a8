import { join } from 'node:path';

/** A module of the built service: benches measure what runs, and Node strips types only of what it is given. */
export function built(module: string): string {
  return join(import.meta.dirname, '../../dist', module);
}
