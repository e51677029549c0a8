import { earlier, later, START } from '../../src/kernel/position.js';
import { isSealed, normalisedEmail } from '../../src/kernel/sealed.js';
import { upcast } from '../../src/kernel/upcasting.js';
import { coinsAdded } from '../support/jar.js';

describe('Of two positions', () => {
  it('one is later and one is earlier, and the start is before all', () => {
    expect(later('02', '10')).toBe('10');
    expect(earlier('02', '10')).toBe('02');
    expect(later(START, '0')).toBe('0');
  });
});

describe('A sealed field', () => {
  it('is a box and a hash, and nothing beside', () => {
    expect(isSealed({ box: 'x', hash: 'y' })).toBe(true);
    for (const other of [null, 'x', {}, { box: 'x' }, { box: 'x', hash: 1 }, { box: 'x', hash: 'y', more: 1 }])
      expect(isSealed(other)).toBe(false);
  });

  it('is compared trimmed and in lower case', () => {
    expect(normalisedEmail(' Ada@Example.COM ')).toBe('ada@example.com');
  });
});

describe('Upcasting', () => {
  const event = { ...coinsAdded('a', '1'), stream: 'jar-a', revision: 0, position: '1' };

  it('leaves an event alone that has no older shape', () => {
    expect(upcast(event, {})).toBe(event);
  });

  it('goes through every version on the way', () => {
    const up = (v: number) => (old: typeof event) => ({ ...old, data: { ...old.data, [`v${v}`]: true }, meta: { ...old.meta, v } });
    expect(upcast(event, { 'CoinsAdded@1': up(2), 'CoinsAdded@2': up(3), 'JarBroken@3': up(4) })).toMatchObject({
      data: { v2: true, v3: true },
      meta: { v: 3 },
    });
  });
});
