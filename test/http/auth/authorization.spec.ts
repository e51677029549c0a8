import { type AccessRule, ruleForPath } from '../../../src/http/auth/access.js';
import { assertCredentialAllowed, assertLiveKey, parseModeHeader } from '../../../src/http/auth/authorization.js';
import { ANONYMOUS, type Caller } from '../../../src/kernel/caller.js';

const RULES: readonly AccessRule[] = [
  'business',
  'community',
  'any',
  'session',
  'owner_session',
  'reviewer',
  'buyer',
  'secret_key',
];

const caller = (facts: Partial<Caller>): Caller => ({ ...ANONYMOUS, ...facts });
const refusal = (refuse: () => void) => {
  try {
    refuse();
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('Under every access rule', () => {
  it.each(RULES)('rejects writes of a read-only key: %s', (rule) => {
    for (const mode of ['live', 'test'] as const)
      expect(refusal(() => assertCredentialAllowed(rule, true, caller({ kind: 'read_only_key', mode })))).toBe(
        'read_only_key',
      );
  });

  it.each(RULES.filter((rule) => rule !== 'buyer'))('rejects a cart token except for carts: %s', (rule) => {
    for (const writes of [true, false])
      expect(refusal(() => assertCredentialAllowed(rule, writes, caller({ kind: 'cart_token' })))).not.toBeNull();
  });
});

describe('A route without an explicit rule', () => {
  it.each([
    ['/v1/community/anything', 'community'],
    ['/v1/commerce/anything', 'business'],
    ['/anything', 'business'],
  ])('has the rule of its path: %s', (path, rule) => expect(ruleForPath(path)).toBe(rule));
});

describe('The community', () => {
  it.each(['secret_key', 'read_only_key'] as const)('rejects a %s of test mode', (kind) => {
    expect(refusal(() => assertLiveKey(caller({ kind, mode: 'test' })))).toBe('live_key_required');
    expect(refusal(() => assertLiveKey(caller({ kind, mode: 'live' })))).toBeNull();
  });

  it('is in live mode for a session, with any mode header', () => {
    const headers = { 'x-service-mode': 'test' };

    expect(parseModeHeader(true, caller({ kind: 'session' }), headers)).toBe('live');
    expect(parseModeHeader(false, caller({ kind: 'session' }), headers)).toBe('test');
  });
});
