import { generateKey, hasKeyPrefix, isWellFormedKey } from '../../../src/identity/authentication/api-key-format.js';

describe('An API key', () => {
  it.each([
    ['full', 'live', /^sk_live_[0-9A-Za-z]{49}$/],
    ['full', 'test', /^sk_test_[0-9A-Za-z]{49}$/],
    ['read_only', 'live', /^rk_live_[0-9A-Za-z]{49}$/],
    ['read_only', 'test', /^rk_test_[0-9A-Za-z]{49}$/],
  ] as const)('of %s access in %s mode has its own prefix', (access, mode, form) => {
    const key = generateKey(access, mode);

    expect(key).toMatch(form);
    expect(hasKeyPrefix(key) && isWellFormedKey(key)).toBe(true);
  });

  it('reveals a typo without a lookup', () => {
    const key = generateKey('full', 'live');
    const typo = key.replace(/.(.)$/, (_, last: string) => (last === 'a' ? 'bb' : 'aa'));

    for (const wrong of [typo, key.slice(0, -1), `${key}0`, key.replace('live', 'test'), key.toLowerCase()])
      expect(isWellFormedKey(wrong)).toBe(false);
  });
});
