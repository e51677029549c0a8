import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** V8 lets a heap of 100 MB grow to 400 before it collects garbage. A growth of half costs no measurable time more. */
const MAX_GROWTH_PERCENT = 50;
/** The threads of the embedded store keep an object for one call only. */
const THREAD_SEMI_SPACE_MB = 4;
const CHECK_MS = 10_000;
/** A process whose event loop runs for a smaller share of the time is at rest. */
const REST_UTILIZATION = 0.05;
/** A heap that has grown by less since the last compaction holds little garbage. */
const MIN_GROWTH = 1.2;

type CollectGarbage = (options: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void;

/** Limits how far heaps grow between two collections. The space of new objects is limited in later threads only. */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${MAX_GROWTH_PERCENT}`);
  setFlagsFromString(`--max-semi-space-size=${THREAD_SEMI_SPACE_MB}`);
}

/**
 * Returns the memory of the start, and of each later load, to the operating system. A compaction blocks for about 0.1 s,
 * so it waits until the process is at rest.
 */
export function compactHeapAtRest(): void {
  let compactedBytes = 0;
  let before = performance.eventLoopUtilization();
  const check = () => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (utilization > REST_UTILIZATION || heapBytes() < compactedBytes * MIN_GROWTH) return;
    compactHeap();
    compactedBytes = heapBytes();
  };
  setInterval(check, CHECK_MS).unref();
}

function compactHeap(): void {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as CollectGarbage;
  setFlagsFromString('--no-expose-gc');
  collectGarbage({ type: 'major', flavor: 'last-resort' });
}

function heapBytes(): number {
  return getHeapStatistics().total_heap_size;
}
