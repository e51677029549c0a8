import { Rejection } from '../../kernel/rejection.js';

export const LOWEST_LEVEL = 1;

/** The points from which a member has a level. */
export interface LevelThreshold {
  readonly level: number;
  readonly points: number;
}

export const DEFAULT_LEVELS: readonly LevelThreshold[] = [0, 5, 20, 65, 155, 515, 2015, 8015, 33015].map(
  (points, i) => ({
    level: i + 1,
    points,
  }),
);

/** The levels of the community, and the member's minimum level, which an import may have set. */
export interface LevelRules {
  readonly levels: readonly LevelThreshold[];
  readonly minimumLevel: number;
}

export function calculateLevel(balance: number, { levels, minimumLevel }: LevelRules): number {
  return levels.reduce(
    (level, threshold) => (threshold.points <= balance ? Math.max(level, threshold.level) : level),
    minimumLevel,
  );
}

/** @throws Rejection levels_not_rising, unless each level is reached with more points than the one before */
export function assertLevelsRise(levels: readonly LevelThreshold[]): void {
  const rises = levels.every(({ level, points }, i) => {
    const before = levels[i - 1];
    return before === undefined ? points === 0 : level > before.level && points > before.points;
  });
  if (!rises)
    throw new Rejection(
      'levels_not_rising',
      'The levels start at 0 points, and each level has a higher number and more points than the one before.',
      'levels',
    );
}
