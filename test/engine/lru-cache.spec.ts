import { LruCache } from '../../src/engine/lru-cache.js';

describe('An LRU cache', () => {
  it('evicts the least recently used entry', () => {
    const recent = new LruCache<string, number>(2);
    recent.set('a', 1);
    recent.set('b', 2);
    recent.get('a');
    recent.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual([1, undefined, 3]);
  });

  it('evicts by weight', () => {
    const recent = new LruCache<string, string>(10, (text) => text.length);
    recent.set('a', 'four');
    recent.set('b', 'four');
    recent.set('b', 'five5');
    recent.set('c', 'two');
    expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual([undefined, 'five5', 'two']);
    recent.set('d', 'heavier than all');
    expect(recent.get('d')).toBeUndefined();
  });

  it('keeps the newest value of a key', () => {
    const recent = new LruCache<string, number>(2);
    recent.set('a', 1);
    recent.set('a', 2);
    recent.set('b', 3);
    expect([recent.get('a'), recent.get('b')]).toEqual([2, 3]);
    recent.delete('a');
    expect(recent.get('a')).toBeUndefined();
  });
});
