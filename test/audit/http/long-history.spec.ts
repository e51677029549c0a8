import { BASELINE_EVENTS } from '../../../src/audit/history/resource-timeline.js';
import { CommerceFixture } from '../../commerce/commerce-fixture.js';
import { requireData } from '../../support/api.js';

const EVENTS = '/v1/audit/events';

interface Entry {
  readonly id: string;
  readonly revision: number;
  readonly position: string;
}

/** The creation of a product records two events, and each edit one. */
const EDITS = BASELINE_EVENTS - 1;

describe(`A product with ${BASELINE_EVENTS + 1} events`, () => {
  let shop: CommerceFixture;
  let id: string;
  let entries: readonly Entry[];
  beforeAll(async () => {
    shop = await CommerceFixture.start();
    ({ id } = await shop.createProduct({ name: 'Edit 0' }));
    for (let n = 1; n <= EDITS; n++) await shop.edit(id, { name: `Edit ${n}` });
    const last = (await shop.api.get(`${EVENTS}?resource=${id}&limit=3`)).body.data as Entry[];
    entries = last.toSorted((a, b) => a.revision - b.revision);
    // Folds the whole stream once, so that its first events are stored.
    requireData(await shop.api.get(`/v1/audit/resources/${id}`));
  }, 60_000);
  afterAll(() => shop.service.stop());

  const nameOf = (document: { readonly name: string } | null) => document?.name ?? null;

  it('has another document before each of its last events than after it', async () => {
    const details = await Promise.all(
      entries.map(async (entry) => requireData(await shop.api.get(`${EVENTS}/${entry.id}`))),
    );

    expect(entries.map(({ revision }) => revision)).toEqual([
      BASELINE_EVENTS - 2,
      BASELINE_EVENTS - 1,
      BASELINE_EVENTS,
    ]);
    expect(details.map(({ before, after }) => [nameOf(before), nameOf(after)])).toEqual(
      [EDITS - 2, EDITS - 1, EDITS].map((n) => [`Edit ${n - 1}`, `Edit ${n}`]),
    );
    expect(details.map(({ changes }) => changes.name)).toEqual(
      [EDITS - 2, EDITS - 1, EDITS].map((n) => ({ before: `Edit ${n - 1}`, after: `Edit ${n}` })),
    );
  });

  it('is returned as it was at each of its last events', async () => {
    const names = await Promise.all(
      entries.map(async ({ position }) =>
        nameOf(requireData(await shop.api.get(`/v1/audit/resources/${id}?as_of=${position}`))),
      ),
    );

    expect(names).toEqual([EDITS - 2, EDITS - 1, EDITS].map((n) => `Edit ${n}`));
  });

  it('has a history in which each edit changes the name, also on a page that starts at the last stored document', async () => {
    const changes: unknown[] = [];
    for (let after = ''; ;) {
      const { data, pagination } = (await shop.api.get(`/v1/audit/resources/${id}/history?limit=100${after}`)).body;
      changes.push(...data.flatMap((entry: { changes: { name?: unknown } }) => entry.changes.name ?? []));
      if (pagination.next_cursor === null) break;
      after = `&after=${pagination.next_cursor}`;
    }

    expect(changes).toEqual([
      { before: null, after: 'Edit 0' },
      ...Array.from({ length: EDITS }, (_, n) => ({ before: `Edit ${n}`, after: `Edit ${n + 1}` })),
    ]);
  });
});
