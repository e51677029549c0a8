import { ALL } from './all.js';
import { findMisplaced } from './project-copy.js';

describe('Each mutant', () => {
  it('has its place in the code', () => expect(findMisplaced(ALL)).toEqual([]));

  it('has a name of its own', () => expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length));
});
