import { isEncryptedField, normaliseEmail } from '../../src/kernel/encrypted-field.js';
import { pickEarlier, pickLater, START } from '../../src/kernel/position.js';
import { upcast } from '../../src/kernel/upcasting.js';
import { coinsAdded } from '../support/jar.js';

describe('Two positions', () => {
  it('compare as text, and the start is before every other position', () => {
    expect(pickLater('02', '10')).toBe('10');
    expect(pickEarlier('02', '10')).toBe('02');
    expect(pickLater(START, '0')).toBe('0');
  });
});

describe('An encrypted field', () => {
  it('consists of exactly a box and a hash', () => {
    expect(isEncryptedField({ box: 'x', hash: 'y' })).toBe(true);
    for (const other of [null, 'x', {}, { box: 'x' }, { box: 'x', hash: 1 }, { box: 'x', hash: 'y', more: 1 }])
      expect(isEncryptedField(other)).toBe(false);
  });

  it('is compared by its trimmed lower-case text', () => {
    expect(normaliseEmail(' Ada@Example.COM ')).toBe('ada@example.com');
    expect(normaliseEmail('zoe\u0308@example.com')).toBe('zo\u00eb@example.com');
  });
});

describe('Upcasting', () => {
  const event = { ...coinsAdded('a', '1'), stream: 'jar-a', revision: 0, position: '1' };

  it('leaves an event of the newest version unchanged', () => {
    expect(upcast(event, {})).toBe(event);
  });

  it('applies the upcaster of every version in order', () => {
    const up = (v: number) => (old: typeof event) => ({
      ...old,
      data: { ...old.data, [`v${v}`]: true },
      meta: { ...old.meta, v },
    });
    expect(upcast(event, { 'CoinsAdded@1': up(2), 'CoinsAdded@2': up(3), 'JarBroken@3': up(4) })).toMatchObject({
      data: { v2: true, v3: true },
      meta: { v: 3 },
    });
  });
});
