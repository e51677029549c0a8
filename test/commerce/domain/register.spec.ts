import { Register } from '../../../src/commerce/domain/register.js';

describe('A register', () => {
  it('finds what was entered', () => {
    const register = Register.empty<number>().with('a', 1).with('b', 2);
    expect([register.get('a'), register.get('b'), register.get('c'), register.size]).toEqual([1, 2, undefined, 2]);
  });

  it('does not see what was entered after it', () => {
    const older = Register.empty<number>().with('a', 1);
    older.with('b', 2);
    expect([older.get('b'), older.size]).toEqual([undefined, 1]);
  });

  it('goes two ways from one place', () => {
    const older = Register.empty<number>().with('a', 1);
    const [left, right] = [older.with('b', 2), older.with('c', 3)];
    expect([left.get('b'), left.get('c')]).toEqual([2, undefined]);
    expect([right.get('b'), right.get('c')]).toEqual([undefined, 3]);
  });

  it('shares nothing with another that began empty', () => {
    const empty = Register.empty<number>();
    const [one, other] = [empty.with('a', 1), empty.with('b', 2)];
    expect([one.get('b'), other.get('a'), empty.get('a')]).toEqual([undefined, undefined, undefined]);
  });
});
