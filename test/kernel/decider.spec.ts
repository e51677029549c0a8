import { extractCategory, extractId, fold, streamOf } from '../../src/kernel/decider.js';
import { coinsAdded, jar, jarBroken, type JarEvent } from '../support/jar.js';

describe('The name of a stream', () => {
  it('consists of its category and the id', () => {
    expect(streamOf(jar, 'jar_1')).toBe('jar-jar_1');
  });

  it('can be parsed into both, even when the id contains dashes', () => {
    expect(extractCategory('emailClaim-a-b@c')).toBe('emailClaim');
    expect(extractId('emailClaim-a-b@c')).toBe('a-b@c');
  });
});

describe('A fold', () => {
  const events = [coinsAdded('a', '1', 2), coinsAdded('a', '2', 3), jarBroken('a')] as unknown as JarEvent[];

  it('applies the events to the initial state in order', () => {
    expect(fold(jar, events)).toEqual({ coins: 5, broken: true });
    expect(fold(jar, [])).toEqual(jar.initial);
  });

  it('can continue from a state', () => {
    expect(fold(jar, events.slice(1), fold(jar, events.slice(0, 1)))).toEqual(fold(jar, events));
  });
});
