import { computeMedianRatio } from './interleave.ts';
import { computeMedian, round } from './numbers.ts';

/** The work of a client of a store in one slice. */
export interface StoreSlice {
  readonly perSecond: number;
  /** The CPU time of this process, without the server's, for one event or operation. */
  readonly cpuMicros: number;
}

/** Runs concurrent loops; each works again as soon as its work has finished. @param work returns what it has done */
export async function measureLoops(
  concurrency: number,
  sliceMs: number,
  work: () => Promise<number>,
): Promise<StoreSlice> {
  const began = performance.now();
  return measureWork(async () => {
    let done = 0;
    const repeat = async () => {
      while (performance.now() - began < sliceMs) done += await work();
    };
    await Promise.all(Array.from({ length: concurrency }, repeat));
    return done;
  });
}

/** @param work returns the number of events or operations that it has done */
export async function measureWork(work: () => Promise<number>): Promise<StoreSlice> {
  const began = performance.now();
  const before = process.cpuUsage();
  const done = await work();
  const { user, system } = process.cpuUsage(before);
  return { perSecond: (done / (performance.now() - began)) * 1_000, cpuMicros: (user + system) / done };
}

export function toStoreFigure(
  name: string,
  { bare, adapter }: { readonly bare: readonly StoreSlice[]; readonly adapter: readonly StoreSlice[] },
) {
  const rate = ({ perSecond }: StoreSlice) => perSecond;
  const cpu = ({ cpuMicros }: StoreSlice) => cpuMicros;
  const compare = (of: (slice: StoreSlice) => number) => ({
    bare: round(computeMedian(bare.map(of))),
    adapter: round(computeMedian(adapter.map(of))),
  });
  const least = (slices: readonly StoreSlice[]) => Math.min(...slices.map(cpu));
  return {
    name,
    ratios: {
      per_second: round(computeMedianRatio(adapter, bare, rate)),
      cpu: round(computeMedianRatio(adapter, bare, cpu)),
      least_cpu: round(least(adapter) / least(bare)),
    },
    per_second: compare(rate),
    cpu_us: compare(cpu),
    least_cpu_us: { bare: round(least(bare)), adapter: round(least(adapter)) },
  };
}
