import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { encodeCanonically } from '../../../src/audit/chain/canonical-json.js';
import { seed } from '../../contracts/seed.js';

const keys = fc.oneof(
  fc.constantFrom('b', 'a', '10', '9', '01', '-1', '__proto__', 'toJSON', 'é', '\u{1f600}', '\ufb33', ''),
  fc.string(),
);
const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', '\\ud800', '\u2028', '\u0007'));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(texts, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean()),
    fc.constantFrom(null, undefined, -0, 1e21, 1e-7),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(keys, tie('tree'), { maxKeys: 5, noNullPrototype: true }),
    { weight: 1, arbitrary: fc.dictionary(keys, texts, { minKeys: 30, maxKeys: 40, noNullPrototype: true }) },
  ),
}));

function tryTo(encode: () => string | undefined): string | undefined {
  try {
    return encode();
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

describe('Canonical JSON', () => {
  it(`has the form of RFC 8785 for any value (SEED=${seed})`, () =>
    fc.assert(
      fc.property(fc.dictionary(keys, tree, { noNullPrototype: true }), (value) => {
        expect(tryTo(() => encodeCanonically(value))).toBe(tryTo(() => canonicalize(value)));
      }),
      { seed, numRuns: 2_000 },
    ));

  it('sorts keys by their UTF-16 code units, also those that are numbers', () =>
    expect(encodeCanonically({ b: { 10: 1, 9: 2 }, a: [{ d: undefined, c: -0 }] })).toBe(
      '{"a":[{"c":0}],"b":{"10":1,"9":2}}',
    ));

  it('encodes a time as its JSON', () =>
    expect(encodeCanonically({ at: new Date('2026-02-01T09:00:00Z') })).toBe('{"at":"2026-02-01T09:00:00.000Z"}'));

  it('refuses half of a surrogate pair', () => expect(() => encodeCanonically({ a: '\ud800' })).toThrow('surrogate'));
});
