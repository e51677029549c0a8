export const LOWEST_LEVEL = 1;

/** The points from which a member has a level. */
export interface Rung {
  readonly level: number;
  readonly points: number;
}

export const DEFAULT_LADDER: readonly Rung[] = [0, 5, 20, 65, 155, 515, 2015, 8015, 33015].map((points, i) => ({ level: i + 1, points }));

/** The levels of the community, and the member's minimum level, which an import may have set. */
export interface Climb {
  readonly ladder: readonly Rung[];
  readonly floor: number;
}

export function levelAt(balance: number, { ladder, floor }: Climb): number {
  return ladder.reduce((level, rung) => (rung.points <= balance ? Math.max(level, rung.level) : level), floor);
}
