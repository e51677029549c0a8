import { join } from 'node:path';

/** Returns the path of a module of the built service. Benchmarks measure the build, not the sources. */
export function toBuiltPath(module: string): string {
  return join(import.meta.dirname, '../../dist', module);
}

/** Imports a module of the built service; `M` is the type of its exports. */
export async function importBuilt<M>(module: string): Promise<M> {
  return (await import(toBuiltPath(module))) as M;
}
