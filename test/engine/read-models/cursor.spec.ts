import { Keys } from '../../../src/engine/encryption/keys.js';
import { Cursors } from '../../../src/engine/read-models/cursor.js';
import type { Where } from '../../../src/kernel/read-models.js';

const keys = new Keys(Buffer.alloc(32, 1), Buffer.alloc(32, 2));
const createCursors = (where: Where) => new Cursors(keys, 'jars', 'created_at', where);
const PLACE = { value: '2026-01-01', id: 'jar_1' };

describe('The cursor of a list', () => {
  it('continues the same list, also when its range has moved', () => {
    const cursor = createCursors({ status: { in: ['open'] }, at: { from: '2026-01-01' } }).encode(PLACE);
    const moved = createCursors({ status: { in: ['open'] }, at: { from: '2026-01-02' } });

    expect(moved.decode(cursor)).toEqual(PLACE);
  });

  it.each<Where>([{ status: { in: ['open', 'closed'] } }, { status: { in: ['closed'] } }, { status: 'open' }, {}])(
    'is refused by a list with the filter %j',
    (where) => {
      const cursor = createCursors({ status: { in: ['open'] } }).encode(PLACE);

      expect(() => createCursors(where).decode(cursor)).toThrow('This list did not issue the cursor.');
    },
  );
});
