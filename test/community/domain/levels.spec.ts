import { calculateLevel, DEFAULT_LEVELS } from '../../../src/community/domain/levels.js';

describe('A level', () => {
  it.each([
    [0, 1],
    [4, 1],
    [5, 2],
    [20, 3],
    [64, 3],
    [65, 4],
    [155, 5],
    [515, 6],
    [2_015, 7],
    [8_015, 8],
    [33_014, 8],
    [33_015, 9],
    [9_000_000, 9],
  ])('reaches, with %i points, level %i', (balance, level) =>
    expect(calculateLevel(balance, { levels: DEFAULT_LEVELS, minimumLevel: 1 })).toBe(level),
  );

  it('never falls below the minimum level', () =>
    expect(calculateLevel(70, { levels: DEFAULT_LEVELS, minimumLevel: 6 })).toBe(6));

  it('rises above the minimum level', () =>
    expect(calculateLevel(2_015, { levels: DEFAULT_LEVELS, minimumLevel: 6 })).toBe(7));
});
