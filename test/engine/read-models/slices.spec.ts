import type { SliceResult } from '../../../src/engine/read-models/read-model-reader.js';
import { type JarDocument, jars } from '../../support/jar.js';
import { createEmptyContext, createPagedJars, JARS } from '../../support/paged-jars.js';

describe('A slice of a list', () => {
  it('continues where the last one ended, also among equal times', async () => {
    const { views, newestFirst } = await createPagedJars(11);
    const walked: JarDocument[] = [];
    for (let after: string | null = null; ;) {
      const { data, pagination }: SliceResult<JarDocument> = await views.getSlice(
        jars,
        { where: {}, limit: 4, after },
        createEmptyContext(),
      );
      walked.push(...data);
      expect(pagination.has_more).toBe(pagination.next_cursor !== null);
      if (pagination.next_cursor === null) break;
      after = pagination.next_cursor;
    }
    expect(walked).toEqual(newestFirst);
  });

  it('has no cursor at the end of the list', async () => {
    const { views } = await createPagedJars(4);
    expect((await views.getSlice(jars, { where: {}, limit: 4, after: null }, createEmptyContext())).pagination).toEqual(
      {
        next_cursor: null,
        has_more: false,
      },
    );
  });

  it('is not shifted by documents that arrive between two requests', async () => {
    const { views, readModels, newestFirst } = await createPagedJars(6);
    const first = await views.getSlice(jars, { where: {}, limit: 3, after: null }, createEmptyContext());
    const late = { id: 'jar_9999', coins: 0, events: [], created_at: '2026-02-01T10:00:00.000Z' };
    await readModels.upsert(JARS, [{ id: late.id, position: '9999', document: late }]);
    const second = await views.getSlice(
      jars,
      { where: {}, limit: 3, after: first.pagination.next_cursor },
      createEmptyContext(),
    );
    expect([...first.data, ...second.data]).toEqual(newestFirst);
  });

  it.each([
    ['an empty text', ''],
    ['invalid base64', '%%%'],
    ['invalid JSON', Buffer.from('jar_0003').toString('base64url')],
    ['a JSON object', Buffer.from('{"id":"jar_0003"}').toString('base64url')],
    ['an object for a time', Buffer.from('[{"$gt":""},"jar_0003"]').toString('base64url')],
    ['a single value', Buffer.from('["2026-02-01T09:00:00.000Z"]').toString('base64url')],
    ['a numeric id', Buffer.from('["2026-02-01T09:00:00.000Z",3]').toString('base64url')],
    ['too many characters', 'a'.repeat(5_000)],
  ])('refuses a cursor with %s', async (_, after) => {
    const { views } = await createPagedJars(6);
    await expect(views.getSlice(jars, { where: {}, limit: 3, after }, createEmptyContext())).rejects.toMatchObject({
      code: 'invalid_parameter',
      errors: [{ param: 'after' }],
    });
  });

  it('refuses a cursor that was changed', async () => {
    const { views } = await createPagedJars(6);
    const { pagination } = await views.getSlice(jars, { where: {}, limit: 3, after: null }, createEmptyContext());
    const [value, , mark] = JSON.parse(Buffer.from(pagination.next_cursor!, 'base64url').toString()) as string[];
    const after = Buffer.from(JSON.stringify([value, 'jar_0001', mark])).toString('base64url');
    await expect(views.getSlice(jars, { where: {}, limit: 3, after }, createEmptyContext())).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
  });

  it('refuses a cursor of another list', async () => {
    const { views } = await createPagedJars(12);
    const mine = { where: { coins: 1 }, limit: 3 };
    const { pagination } = await views.getSlice(jars, { ...mine, after: null }, createEmptyContext());
    const after = pagination.next_cursor;
    await expect(
      views.getSlice(jars, { ...mine, where: { coins: 0 }, after }, createEmptyContext()),
    ).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
    await expect(
      views.getSlice({ ...jars, name: 'lids' }, { ...mine, after }, createEmptyContext()),
    ).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
    await expect(views.getSlice(jars, { ...mine, after: `${after}==` }, createEmptyContext())).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
  });

  it('accepts a cursor when the filter is a range that moves', async () => {
    const { views } = await createPagedJars(12);
    const since = (from: string) => ({ where: { created_at: { from } }, limit: 3 });
    const { pagination } = await views.getSlice(jars, { ...since('2026-02-01'), after: null }, createEmptyContext());
    expect(
      (await views.getSlice(jars, { ...since('2026-01-31'), after: pagination.next_cursor }, createEmptyContext()))
        .data,
    ).toHaveLength(3);
  });
});
