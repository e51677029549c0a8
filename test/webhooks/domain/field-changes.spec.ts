import { findFieldChanges, limitChanges } from '../../../src/webhooks/domain/field-changes.js';

const KIB = 1_024;

describe('The changed fields of an event', () => {
  it('are those with another value, without the time of the change', () => {
    const before = { name: 'A', price: { cents: 1 }, tags: ['x'], updated_at: 'then' };
    const after = { name: 'B', price: { cents: 1 }, tags: ['x', 'y'], updated_at: 'now' };
    expect(findFieldChanges(before, after)).toEqual({
      name: { before: 'A', after: 'B' },
      tags: { before: ['x'], after: ['x', 'y'] },
    });
  });

  it('show a missing field as null, and none where it was null before', () => {
    expect(findFieldChanges({ a: 1, b: null }, { b: null, c: 2 })).toEqual({
      a: { before: 1, after: null },
      c: { before: null, after: 2 },
    });
    expect(findFieldChanges({ a: null }, {})).toEqual({});
  });

  it('do not tell that a personal field was encrypted again', () => {
    const [first, again, other] = [
      { email: { box: 'a.1', hash: 'h' } },
      { email: { box: 'a.2', hash: 'h' } },
      { email: { box: 'a.3', hash: 'i' } },
    ];
    expect(findFieldChanges(first, again)).toEqual({});
    expect(findFieldChanges(first, other)).toEqual({ email: { before: first.email, after: other.email } });
  });

  it('are left out when the event would have more than 256 KiB with them', () => {
    const data = { text: 'x'.repeat(100 * KIB) };
    const changes = (size: number) => ({ text: { before: 'y'.repeat(size), after: null } });
    expect(limitChanges(data, changes(150 * KIB))).toEqual(changes(150 * KIB));
    expect(limitChanges(data, changes(156 * KIB))).toBeNull();
    expect(limitChanges({ text: '€'.repeat(50 * KIB) }, changes(110 * KIB))).toBeNull();
  });
});
