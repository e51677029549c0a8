import { median } from './numbers.ts';

/** Runs each in short slices by turns, so that whatever else the machine does meets all of them alike. A first turn only warms up. */
export async function byTurns<N extends string, S>(
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

/** The median of the ratios that each round has for itself. */
export function ratioOf<S>(ours: readonly S[], bare: readonly S[], of: (slice: S) => number): number {
  return median(ours.map((slice, round) => of(slice) / of(bare[round]!)));
}
