import type { Where } from '../../../src/kernel/read-models.js';
import { decodeDocument, encodeDocument } from '../../../src/stores/mongodb/documents.js';
import { toFilter } from '../../../src/stores/mongodb/query.js';
import { Databases, onMongo } from './server.js';

/** As text, because an object literal cannot have a key `__proto__`. */
const STRANGE = JSON.parse(`{
  "id": "jar_1", "": "empty", ".": 1, "a.b": { "c.d": "dots" }, "a": { "b": { "c": "path" } }, "$gt": "", "$where": "1", "x$y": 1,
  "%": 2, "%2e": 3, "100%": 4, "\\u0000": 5, "_bsontype": "ObjectId", "%5fbsontype": 6, "$ref": "jars", "$id": "1", "$db": "d",
  "__proto__": { "polluted": true }, "constructor": "c", "toString": "t", "_id": "other", "0": "first", "é😀": "é😀",
  "numbers": [0, -1, 1.5, 2147483648, 9007199254740991, 1e300], "list": [[], {}, null, [{ "$in": ["x"] }]], "null": null, "yes": true
}`) as object;
const OPERATOR = '{"$gt": ""}';

describe('A document that is encoded for MongoDB', () => {
  it('is decoded unchanged, even with special keys', () => {
    expect(JSON.stringify(decodeDocument(encodeDocument(STRANGE)))).toBe(JSON.stringify(STRANGE));
  });

  it('has no key with a special meaning for the server or its driver', () => {
    expect(keysOf(encodeDocument(STRANGE)).filter((key) => key === '' || /^\$|[.\0]|^_bsontype$/.test(key))).toEqual(
      [],
    );
  });
});

describe('A condition that is encoded for MongoDB', () => {
  it.each<[string, unknown]>([
    ['an operator', { $gt: '' }],
    ['an operator among the ends of a range', { from: 'a', $where: '1' }],
    ['an operator as the end of a range', { from: { $gt: '' } }],
    ['an operator in a list', { in: [{ $gt: '' }] }],
    ['a list', [['x']]],
    ['undefined', undefined],
  ])('is refused when it is %s', (_, condition) => {
    expect(() => toFilter({ status: condition } as Where)).toThrow(TypeError);
  });

  it('has an operator of the store before every value, and an encoded path', () => {
    const where: Where = { 'buyer.email': OPERATOR, $where: 'sleep(1000)', id: 'jar_1' };

    expect(toFilter(where)).toEqual({
      live: { $eq: true },
      'document.buyer.email': { $eq: OPERATOR },
      'document.%24where': { $eq: 'sleep(1000)' },
      _id: { $eq: 'jar_1' },
    });
  });
});

onMongo((server) => {
  const databases = Databases.each(server);
  const position = '1';

  it('stores and finds documents with special keys', async () => {
    const { models } = await databases.open();
    await models.ensureCollection('jars', { indexes: [['_bsontype'], ['$gt', 'a.b.c']], totals: [['$where']] });
    await models.upsert('jars', [{ id: 'jar_1', position, document: STRANGE }]);

    const [row] = await models.load('jars', ['jar_1']);
    expect(JSON.stringify(row!.document)).toBe(JSON.stringify(STRANGE));
    expect(await models.find('jars', { where: { 'a.b.c': 'path' }, orderBy: '$gt', limit: 2 })).toHaveLength(1);
    expect(await models.count('jars', { $where: '1', _bsontype: 'ObjectId' })).toBe(1);
    expect(await models.count('jars', { $where: '2' })).toBe(0);
  });

  it('treats an operator as plain text in every id and key', async () => {
    const { models, leases, catalogue, jobs, idempotency, vault } = await databases.open();
    const holder = 'one';
    for (const id of ['a', OPERATOR]) {
      await models.upsert('jars', [{ id, position, document: { id, name: id } }]);
      await jobs.enqueue([{ key: id, queue: id, due: '2026-02-01T09:00:00.000Z', data: { $set: { [id]: '$due' } } }]);
      await vault.putIfAbsent(id, Buffer.from(id));
    }

    expect(await models.load('jars', [OPERATOR])).toEqual([
      { id: OPERATOR, position, document: { id: OPERATOR, name: OPERATOR } },
    ]);
    expect(await models.count('jars', { name: OPERATOR })).toBe(1);
    expect(await leases.acquireLease(OPERATOR, OPERATOR, 1_000)).toBe(1);
    expect(await catalogue.compareAndSetEntry(OPERATOR, 0, { $set: { a: 1 } })).toBe(true);
    expect(await catalogue.listEntries()).toEqual([{ name: OPERATOR, revision: 1, value: { $set: { a: 1 } } }]);
    expect(await jobs.claim(OPERATOR, { limit: 9, leaseMs: 1_000, holder })).toMatchObject([
      { key: OPERATOR, data: { $set: { [OPERATOR]: '$due' } } },
    ]);
    expect(await jobs.cancel(OPERATOR)).toBe(false);
    expect(Buffer.from((await vault.get(OPERATOR))!).toString()).toBe(OPERATOR);
    await vault.destroy(OPERATOR);
    expect(await vault.get('a')).not.toBeNull();
    await idempotency.claim({ scope: 'a', key: 'b' }, { fingerprint: 'f', leaseMs: 1_000, holder });
    expect(
      await idempotency.claim({ scope: OPERATOR, key: OPERATOR }, { fingerprint: OPERATOR, leaseMs: 1_000, holder }),
    ).toMatchObject({
      status: 'started',
    });
  });

  it('treats an object as a value even when a cast hides it from the compiler', async () => {
    const { checkpoints, jobs, vault } = await databases.open();
    const operator = { $gt: '' } as unknown as string;
    await checkpoints.advanceCheckpoints({ a: position });
    await jobs.enqueue([{ key: 'a', queue: 'mail', due: '2026-02-01T09:00:00.000Z', data: {} }]);
    await vault.putIfAbsent('a', Buffer.from('a'));

    expect(await checkpoints.readCheckpoint(operator)).toBe('');
    expect(await jobs.find(operator)).toBeNull();
    expect(await jobs.findNextDue(operator)).toBeNull();
    expect(await jobs.cancel(operator)).toBe(false);
    expect(await vault.get(operator)).toBeNull();
  });
});

function keysOf(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysOf)];
}
