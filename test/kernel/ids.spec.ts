import { idOf, newUuid, randomIdOf, shortIdOf, uuidAt, uuidV5 } from '../../src/kernel/ids.js';

const AT = Date.parse('2026-02-01T09:00:00.000Z');

describe('An id', () => {
  it('consists of its prefix and 26 unambiguous characters', () => {
    expect(idOf('prod', AT, 'seed')).toMatch(/^prod_[0-9abcdefghjkmnpqrstvwxyz]{26}$/);
  });

  it('is the same for the same time and seed, and different for any other', () => {
    expect(idOf('prod', AT, 'a', 1)).toBe(idOf('prod', AT, 'a', 1));
    const others = [
      idOf('prod', AT, 'a', 2),
      idOf('prod', AT, 'a1'),
      idOf('prod', AT + 1, 'a', 1),
      idOf('plan', AT, 'a', 1),
    ];
    expect(new Set([idOf('prod', AT, 'a', 1), ...others]).size).toBe(5);
  });

  it('has the same form when it is random, and is then different each time', () => {
    const ids = Array.from({ length: 1_000 }, () => randomIdOf('req', AT));

    expect(new Set(ids).size).toBe(1_000);
    for (const id of ids) expect(id).toMatch(/^req_[0-9abcdefghjkmnpqrstvwxyz]{26}$/);
    expect(ids[0]!.slice(0, 14)).toBe(idOf('req', AT, 'seed').slice(0, 14));
  });

  it('sorts by its time', () => {
    const times = [0, 1, 31, 32, 1_000, AT, AT + 1, Date.parse('2199-12-31')];
    const ids = times.map((at, i) => idOf('prod', at, times.length - i));
    expect(ids.toSorted()).toEqual(ids);
  });

  it('has a short form of 22 characters with the same time, for ids with a suffix', () => {
    expect(shortIdOf(AT, 'seed')).toMatch(/^[0-9abcdefghjkmnpqrstvwxyz]{22}$/);
    expect(idOf('evt', AT, 'seed').slice(4, 14)).toBe(shortIdOf(AT, 'seed').slice(0, 10));
  });
});

describe('A UUID derived from a name', () => {
  const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

  it('equals the example of RFC 9562', () => {
    expect(uuidV5(DNS, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  it('differs for names whose parts are equal only when joined', () => {
    expect(uuidV5(DNS, 'a', 'bc')).not.toBe(uuidV5(DNS, 'ab', 'c'));
  });

  it('has the same format as a random one', () => {
    const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[45][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(uuidV5(DNS, 'a')).toMatch(shape);
    expect(newUuid()).toMatch(shape);
  });
});

describe('A UUID derived from a time', () => {
  it('sorts by its time, independently of its name', () => {
    const ids = [0, 1, 999, 1_000, AT, AT + 1].map((at, i) => uuidAt(at, `name ${10 - i}`));
    expect(ids.toSorted()).toEqual(ids);
  });

  it('is the same for the same time and name, and different for any other', () => {
    expect(uuidAt(AT, 'a', 'bc')).toBe(uuidAt(AT, 'a', 'bc'));
    expect(new Set([uuidAt(AT, 'a', 'bc'), uuidAt(AT, 'ab', 'c'), uuidAt(AT + 1, 'a', 'bc')]).size).toBe(3);
  });

  it('has the format of version 8 of RFC 9562', () => {
    expect(uuidAt(AT, 'a')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
