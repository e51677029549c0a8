import { Keys } from '../../../src/engine/encryption/keys.js';
import { Cursors } from '../../../src/engine/read-models/cursor.js';
import type { Where } from '../../../src/kernel/read-models.js';

const keys = new Keys(Buffer.alloc(32, 1), Buffer.alloc(32, 2));
const createCursors = (where: Where, projection = 'jars', orderBy = 'created_at') =>
  new Cursors(keys, projection, orderBy, where);
const PLACE = { value: '2026-01-01', id: 'jar_1' };

describe('The cursor of a list', () => {
  it('continues the same list, also when its range has moved', () => {
    const cursor = createCursors({ status: { in: ['open'] }, at: { from: '2026-01-01' } }).encode(PLACE);
    const moved = createCursors({ status: { in: ['open'] }, at: { from: '2026-01-02' } });

    expect(moved.decode(cursor)).toEqual(PLACE);
  });

  it('continues the same list when the parameters come in another order', () => {
    const cursor = createCursors({ status: 'open', owner: null }).encode(PLACE);

    expect(createCursors({ owner: null, status: 'open' }).decode(cursor)).toEqual(PLACE);
  });

  it.each([
    ['another projection', 'lids', 'created_at'],
    ['another order', 'jars', 'updated_at'],
  ])('is refused by a list of %s', (_, projection, orderBy) => {
    const cursor = createCursors({}).encode(PLACE);

    expect(() => createCursors({}, projection, orderBy).decode(cursor)).toThrow('This list did not issue the cursor.');
  });

  it('is refused by a list whose filter asks for a missing value', () => {
    const cursor = createCursors({}).encode(PLACE);

    expect(() => createCursors({ owner: null }).decode(cursor)).toThrow('This list did not issue the cursor.');
  });

  it('is refused with the place of another item', () => {
    const [, ...rest] = JSON.parse(Buffer.from(createCursors({}).encode(PLACE), 'base64url').toString()) as string[];
    const forged = Buffer.from(JSON.stringify(['2026-02-02', ...rest])).toString('base64url');

    expect(() => createCursors({}).decode(forged)).toThrow('This list did not issue the cursor.');
  });

  it.each<Where>([{ status: { in: ['open', 'closed'] } }, { status: { in: ['closed'] } }, { status: 'open' }, {}])(
    'is refused by a list with the filter %j',
    (where) => {
      const cursor = createCursors({ status: { in: ['open'] } }).encode(PLACE);

      expect(() => createCursors(where).decode(cursor)).toThrow('This list did not issue the cursor.');
    },
  );
});
