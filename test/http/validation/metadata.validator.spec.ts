import { validate } from 'class-validator';
import { IsMetadata } from '../../../src/http/validation/metadata.validator.js';

class Body {
  @IsMetadata()
  metadata: unknown;
}

async function isTaken(metadata: unknown): Promise<boolean> {
  return (await validate(Object.assign(new Body(), { metadata }))).length === 0;
}

function nested(depth: number): object {
  return depth === 1 ? { a: 1 } : { a: nested(depth - 1) };
}

describe('Metadata', () => {
  it('accepts any object within the limits, with any names of keys', async () => {
    for (const metadata of [
      {},
      { 'a.b': 1, $c: null, constructor: 2 },
      nested(5),
      { ['k'.repeat(40)]: [1, 'é', true] },
    ])
      expect(await isTaken(metadata)).toBe(true);
  });

  it('rejects other values than objects', async () => {
    for (const metadata of [null, [], 'text', 5]) expect(await isTaken(metadata)).toBe(false);
  });

  it('rejects the key __proto__ at any level', async () => {
    for (const metadata of ['{"__proto__":1}', '{"a":[{"__proto__":{"b":1}}]}'])
      expect(await isTaken(JSON.parse(metadata))).toBe(false);
  });

  it('accepts at most 50 keys, of 1 to 40 characters', async () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
    expect(await isTaken(keys(50))).toBe(true);
    for (const metadata of [keys(51), { '': 1 }, { ['k'.repeat(41)]: 1 }, { a: { '': 1 } }])
      expect(await isTaken(metadata)).toBe(false);
  });

  it('accepts at most 5 levels and 16 KiB', async () => {
    const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - JSON.stringify({ a: '' }).length) });
    expect(await isTaken(ofBytes(16 * 1024))).toBe(true);
    expect(await isTaken(ofBytes(16 * 1024 + 1))).toBe(false);
    expect(await isTaken(nested(6))).toBe(false);
  });
});
