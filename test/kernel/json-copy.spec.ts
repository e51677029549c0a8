import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { copyAsJson } from '../../src/kernel/json-copy.js';
import { seed } from '../contracts/seed.js';

const keys = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toJSON', '10', '9', ''), fc.string());
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.integer(), fc.boolean()),
    fc.constantFrom(null, undefined, -0, new Date('2026-02-01T09:00:00Z'), () => 1, Symbol('a')),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.sparseArray(tie('tree'), { maxNumElements: 2, maxLength: 4 }),
    fc.dictionary(keys, tie('tree'), { maxKeys: 5 }),
  ),
}));

describe('A copy as JSON', () => {
  it(`equals what JSON.parse reads from the text (SEED=${seed})`, () =>
    fc.assert(
      fc.property(fc.dictionary(keys, tree), (value) => {
        const expected = JSON.parse(JSON.stringify(value)) as object;
        expect(isDeepStrictEqual(copyAsJson(value), expected)).toBe(true);
        expect(JSON.stringify(copyAsJson(value))).toBe(JSON.stringify(expected));
      }),
      { seed, numRuns: 2_000 },
    ));

  it('does not share its parts with the value', () => {
    const value = { items: [{ name: 'a' }] };
    const copy = copyAsJson(value) as typeof value;
    value.items[0]!.name = 'b';
    expect(copy).toEqual({ items: [{ name: 'a' }] });
  });
});
