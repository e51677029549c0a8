import { findChanges } from '../../../src/audit/history/field-changes.js';

const encrypted = (box: string) => ({ box, hash: 'hash-of-ada' });

describe('The changes between two documents', () => {
  it('are the fields that differ, with the values before and after', () =>
    expect(findChanges({ name: 'Clay', price: 5 }, { name: 'Glaze', price: 5 })).toEqual({
      name: { before: 'Clay', after: 'Glaze' },
    }));

  it('name inner fields by their path', () =>
    expect(
      findChanges(
        { plans: [{ cents: 1 }, { cents: 2 }], a: { b: 1 } },
        { plans: [{ cents: 1 }, { cents: 3 }], a: { b: 2 } },
      ),
    ).toEqual({ 'plans[1].cents': { before: 2, after: 3 }, 'a.b': { before: 1, after: 2 } }));

  it('contain a list whose length changed as one change', () =>
    expect(findChanges({ tags: ['a'] }, { tags: ['a', 'b'] })).toEqual({
      tags: { before: ['a'], after: ['a', 'b'] },
    }));

  it('contain every field of a created or deleted document', () => {
    expect(findChanges(null, { name: 'Clay' })).toEqual({ name: { before: null, after: 'Clay' } });
    expect(findChanges({ name: 'Clay' }, null)).toEqual({ name: { before: 'Clay', after: null } });
    expect(findChanges(null, null)).toEqual({});
  });

  it('compare encrypted fields by their hash and their subject', () => {
    const [erased, first, second] = [encrypted('ada.one'), encrypted('ada~1.one'), encrypted('ada~1.two')];
    expect(findChanges({ email: first }, { email: second })).toEqual({});
    expect(findChanges({ email: erased }, { email: first })).toEqual({ email: { before: erased, after: first } });
  });

  it('contain free-form content as one value under its own name', () =>
    expect(findChanges({ metadata: { a: 1, b: 2 } }, { metadata: { a: 1, b: 3 } })).toEqual({
      metadata: { before: { a: 1, b: 2 }, after: { a: 1, b: 3 } },
    }));
});
