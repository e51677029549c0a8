import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** V8 lets a heap of 100 MB grow to 400 before it collects garbage. A growth of half costs no measurable time more. */
const MAX_GROWTH_PERCENT = 50;

type CollectGarbage = (options: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void;

/** Limits how far the heaps of all threads grow between two collections. */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${MAX_GROWTH_PERCENT}`);
}

/**
 * Returns the memory of the start to the operating system: without it V8 keeps about 60 MB until the first load. It
 * blocks for about 0.1 s, so it runs before the service listens.
 */
export function compactHeap(): void {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as CollectGarbage;
  setFlagsFromString('--no-expose-gc');
  collectGarbage({ type: 'major', flavor: 'last-resort' });
}
