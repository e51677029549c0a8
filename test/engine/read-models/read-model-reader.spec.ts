import fc from 'fast-check';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { scaleRuns, seeds } from '../../contracts/seed.js';
import { coinsAdded, type JarDocument, jars } from '../../support/jar.js';
import { createEmptyContext, createPagedJars, JARS } from '../../support/paged-jars.js';

describe('A page of a list', () => {
  it('holds the newest first, and the total count', async () => {
    const { views, newestFirst } = await createPagedJars(7);
    expect(await views.getPage(jars, { where: {}, page: 2, perPage: 3 }, createEmptyContext())).toEqual({
      data: newestFirst.slice(3, 6),
      pagination: { total_pages: 3, current_page: 2, per_page: 3, total_count: 7 },
    });
  });

  it('is the last one for a page number beyond the end', async () => {
    const { views, newestFirst } = await createPagedJars(7);
    const { data, pagination } = await views.getPage(jars, { where: {}, page: 9, perPage: 3 }, createEmptyContext());
    expect(data).toEqual(newestFirst.slice(6));
    expect(pagination.current_page).toBe(3);
  });

  it('is the first and only one of an empty list', async () => {
    const { views } = await createPagedJars(0);
    expect(await views.getPage(jars, { where: {}, page: 5, perPage: 25 }, createEmptyContext())).toEqual({
      data: [],
      pagination: { total_pages: 1, current_page: 1, per_page: 25, total_count: 0 },
    });
  });

  it('counts matching documents only', async () => {
    const { views } = await createPagedJars(9);
    const { data, pagination } = await views.getPage(
      jars,
      { where: { coins: 1 }, page: 1, perPage: 10 },
      createEmptyContext(),
    );
    expect(pagination.total_count).toBe(4);
    expect(data.every(({ coins }) => coins === 1)).toBe(true);
  });

  it('is read from the nearer end', async () => {
    const { views, readModels } = await createPagedJars(100);
    await views.getPage(jars, { where: {}, page: 2, perPage: 10 }, createEmptyContext());
    await views.getPage(jars, { where: {}, page: 9, perPage: 10 }, createEmptyContext());
    expect(readModels.finds.map(({ offset, ascending = false }) => ({ offset, ascending }))).toEqual([
      { offset: 10, ascending: false },
      { offset: 10, ascending: true },
    ]);
  });

  it.each(seeds)('is the same from either end (seed %i)', async (seed) => {
    const size = fc.record({ count: fc.nat(40), perPage: fc.integer({ min: 1, max: 12 }) });
    await fc.assert(
      fc.asyncProperty(size, async ({ count, perPage }) => {
        const { views, newestFirst } = await createPagedJars(count);
        const walked: JarDocument[] = [];
        for (let page = 1, pages = 1; page <= pages; page++) {
          const { data, pagination } = await views.getPage(jars, { where: {}, page, perPage }, createEmptyContext());
          walked.push(...data);
          pages = pagination.total_pages;
        }
        expect(walked).toEqual(newestFirst);
      }),
      { seed, numRuns: scaleRuns(30) },
    );
  });
});

describe('A read', () => {
  it('returns a document, or null for a missing one', async () => {
    const { views, newestFirst } = await createPagedJars(3);
    expect(await views.get(jars, 'jar_0003', createEmptyContext())).toEqual(newestFirst[0]);
    expect(await views.get(jars, 'jar_0004', createEmptyContext())).toBeNull();
  });

  it("waits for its caller's writes", async () => {
    const { views, waiters, clock } = await createPagedJars(3);
    waiters.advance(JARS, '0003');
    const progress = new ConsistencyContext('0004');
    const reading = views.get(jars, 'jar_0003', progress);
    await clock.advance(1_000);
    waiters.advance(JARS, '0004');
    expect(await reading).not.toBeNull();
    expect(progress.isStale).toBe(false);
  });

  it('waits for a document that the log may already contain from any writer', async () => {
    const { views, waiters, store, readModels, newestFirst } = await createPagedJars(3);
    waiters.advance(JARS, '');
    const { position } = await store.append('jar-jar_0004', 'none', [coinsAdded('jar_0004', 'a')]);
    const reading = views.get(jars, 'jar_0004', createEmptyContext());
    await readModels.upsert(JARS, [{ id: 'jar_0004', position, document: { ...newestFirst[0], id: 'jar_0004' } }]);
    waiters.advance(JARS, position);
    expect(await reading).toMatchObject({ id: 'jar_0004' });
  });

  it('is unavailable, and not empty, when a missing document may not be projected yet', async () => {
    const { views, waiters, store, clock } = await createPagedJars(3);
    waiters.advance(JARS, '');
    await store.append('jar-jar_0004', 'none', [coinsAdded('jar_0004', 'a')]);
    const reading = expect(views.get(jars, 'jar_0004', createEmptyContext())).rejects.toBeInstanceOf(StoreUnavailable);
    await clock.advance(1_500);
    await reading;
  });

  it('serves what it has after 1.5 s, and marks it as stale', async () => {
    const { views, waiters, clock, newestFirst } = await createPagedJars(3);
    waiters.advance(JARS, '0003');
    const progress = new ConsistencyContext('0004');
    const reading = views.find(jars, {}, 2, progress);
    await clock.advance(1_500);
    expect(await reading).toEqual(newestFirst.slice(0, 2));
    expect(progress.isStale).toBe(true);
  });

  it('waits longer when a decision depends on it, and fails rather than read stale documents', async () => {
    const { views, waiters, clock } = await createPagedJars(3);
    waiters.advance(JARS, '0003');
    const late = views.requirePosition(jars, '0004');
    await clock.advance(30_000);
    waiters.advance(JARS, '0004');
    await late;

    const never = expect(views.requirePosition(jars, '0005')).rejects.toThrow('jars has not reached 0005');
    await clock.advance(60_000);
    await never;
  });

  it('can check first whether a projection has reached a position', async () => {
    const { views, waiters, clock } = await createPagedJars(3);
    waiters.advance(JARS, '0003');
    expect(await views.waitUntil(jars, '0003')).toBe(true);
    const waiting = views.waitUntil(jars, '0004', 50);
    await clock.advance(50);
    expect(await waiting).toBe(false);
  });
});
