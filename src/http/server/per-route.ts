import type { ExecutionContext } from '@nestjs/common';

type ReadRoute<T> = (execution: ExecutionContext) => T;

/** Remembers for each route what the function reads from its metadata: to read metadata costs several µs. */
export function rememberPerRoute<T>(read: ReadRoute<T>): ReadRoute<T> {
  const known = new WeakMap<object, Map<object, T>>();
  return (execution) => {
    const ofHandler = known.get(execution.getHandler());
    const remembered = ofHandler?.get(execution.getClass());
    if (remembered !== undefined) return remembered;

    const found = read(execution);
    known.set(execution.getHandler(), new Map(ofHandler).set(execution.getClass(), found));
    return found;
  };
}
