import { join } from 'node:path';

/** Where a module of the built service is: benches measure what runs, and Node strips types only of what it is given. */
export function built(module: string): string {
  return join(import.meta.dirname, '../../dist', module);
}

/** Such a module, loaded; `M` is what its source exports. */
export async function importBuilt<M>(module: string): Promise<M> {
  return (await import(built(module))) as M;
}
