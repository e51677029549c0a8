import fc from 'fast-check';
import type { Document } from 'mongodb';
import { fieldOf } from '../../../src/stores/mongodb/documents.js';
import { toListQueries } from '../../../src/stores/mongodb/query.js';
import { FIND_QUERIES } from '../../contracts/find-queries.js';
import { scaleRuns, seed } from '../../contracts/seed.js';

/** Returns the conditions that bound the scan of an index: those outside of each `$or`. */
function listBounds({ $and = [], ...conditions }: Document): Document[] {
  const bounds = Object.entries(conditions).filter(([key]) => key !== '$or');
  return [Object.fromEntries(bounds), ...($and as Document[]).flatMap(listBounds)];
}

describe('A query of a list on MongoDB', () => {
  it(`follows an index from its sort key on, and checks only the key's own place by $or (SEED=${seed})`, () =>
    fc.assert(
      fc.property(FIND_QUERIES, (find) => {
        const field = fieldOf(find.orderBy);
        for (const { filter, sort } of toListQueries(find)) {
          expect(Object.keys(sort as object)).toEqual([...new Set([field, '_id'])]);
          const bounds = listBounds(filter);
          if (find.after !== undefined) expect(bounds.some((bound) => field in bound)).toBe(true);
          for (const path of Object.keys(find.where)) expect(bounds.some((bound) => fieldOf(path) in bound)).toBe(true);
        }
      }),
      { seed, numRuns: scaleRuns(200) },
    ));
});
