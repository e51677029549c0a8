import { computeMedian } from './numbers.ts';

/** Interleaves short slices of each system, so that all run under the same conditions. The first round is a warm-up. */
export async function interleaveRounds<N extends string, S>(
  rounds: number,
  slices: Readonly<Record<N, () => Promise<S>>>,
  warmUp = true,
): Promise<Readonly<Record<N, readonly S[]>>> {
  const all = Object.fromEntries(Object.keys(slices).map((name) => [name, []])) as unknown as Record<N, S[]>;
  for (let round = warmUp ? 0 : 1; round <= rounds; round++) {
    if (round > 0) console.error(`round ${round} of ${rounds}`);
    for (const name of Object.keys(slices) as N[]) {
      const slice = await slices[name]();
      if (round > 0) all[name].push(slice);
    }
  }
  return all;
}

/** Returns the median of the ratios of each round. */
export function computeMedianRatio<S>(measured: readonly S[], bare: readonly S[], of: (slice: S) => number): number {
  return computeMedian(measured.map((slice, round) => of(slice) / of(bare[round]!)));
}
