import { toIndexes } from '../../../src/stores/mongodb/collections.js';

describe('The indexes of a collection', () => {
  it('have the complete order of a list, from `live` to the id', () => {
    expect(toIndexes({ indexes: [['business.id', '_mode', 'created_at']] })).toEqual([
      {
        name: 'by business.id, _mode, created_at',
        key: { live: 1, 'document.business.id': 1, 'document._mode': 1, 'document.created_at': 1, _id: 1 },
      },
    ]);
  });

  it('include one index per total, independently of the order of its paths', () => {
    const indexes = [['_mode', 'business.id', 'created_at']];

    expect(names({ indexes, totals: [['business.id', '_mode'], ['_mode', 'business.id'], []] })).toEqual([
      'by _mode, business.id, created_at',
      'by _mode, business.id',
      'by ',
    ]);
    expect(toIndexes({ indexes: [], totals: [[]] })).toEqual([{ name: 'by ', key: { live: 1, _id: 1 } }]);
  });

  it('are created once each, even when two are equal', () => {
    expect(names({ indexes: [['a'], ['a', 'id'], ['a']], totals: [['b'], ['b']] })).toEqual(['by a', 'by b']);
  });
});

function names(shape: Parameters<typeof toIndexes>[0]): (string | undefined)[] {
  return toIndexes(shape).map(({ name }) => name);
}
