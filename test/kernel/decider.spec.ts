import { categoryOfStream, fold, idOfStream, streamOf } from '../../src/kernel/decider.js';
import { coinsAdded, jar, jarBroken, type JarEvent } from '../support/jar.js';

describe('A stream', () => {
  it('is named by its category and the id', () => {
    expect(streamOf(jar, 'jar_1')).toBe('jar-jar_1');
  });

  it('gives both back, dashes in the id included', () => {
    expect(categoryOfStream('emailClaim-a-b@c')).toBe('emailClaim');
    expect(idOfStream('emailClaim-a-b@c')).toBe('a-b@c');
  });
});

describe('A fold', () => {
  const events = [coinsAdded('a', '1', 2), coinsAdded('a', '2', 3), jarBroken('a')] as unknown as JarEvent[];

  it('is what the events come to, one after another', () => {
    expect(fold(jar, events)).toEqual({ coins: 5, broken: true });
    expect(fold(jar, [])).toEqual(jar.initial);
  });

  it('can go on from a state', () => {
    expect(fold(jar, events.slice(1), fold(jar, events.slice(0, 1)))).toEqual(fold(jar, events));
  });
});
