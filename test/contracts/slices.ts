import { newUuid } from '../../src/kernel/ids.js';
import type { ReadModels, SortKey } from '../../src/kernel/read-models.js';
import type { Ports } from '../../src/stores/ports.js';
import { createNumberedOrder, type OrderDocument, row, SCHEMA } from './documents.js';
import { LIVE } from './find-queries.js';
import { eachOpenStore, type OpenStoreFunction, selectPort } from './open-store.js';

/** More than one slice scans. */
const MANY = 2_500;

/** Declares the tests of lists whose filter skips thousands of documents. The stores in memory have no bound. */
export function describeLongSlices(name: string, open: OpenStoreFunction<Pick<Ports, 'models'>>): void {
  describe(`The slices of a long list on ${name}`, () => {
    const opened = selectPort(eachOpenStore(open), 'models');

    it('scan a bounded number of documents each, and find every match', async () => {
      const orders = `orders${newUuid()}@1`;
      await opened.store.ensureCollection(orders, SCHEMA);
      const documents = Array.from({ length: MANY }, (_, n) => createNumberedOrder(n));
      await opened.store.upsert(
        orders,
        documents.map((document, n) => row(document, n + 1)),
      );

      const [oldest, newest] = [documents.slice(0, 2), documents.slice(-2)];
      expect(await readSlices(opened.store, orders, { to: oldest[1]!.amount_cents }, false)).toEqual([
        [],
        oldest.toReversed(),
      ]);
      expect(await readSlices(opened.store, orders, { from: newest[0]!.amount_cents }, true)).toEqual([[], newest]);
    });
  });
}

async function readSlices(
  models: ReadModels,
  orders: string,
  amount: { readonly from?: number; readonly to?: number },
  ascending: boolean,
): Promise<(readonly OrderDocument[])[]> {
  const slices: (readonly OrderDocument[])[] = [];
  const where = { ...LIVE, amount_cents: amount };
  for (let after: SortKey | null | undefined; after !== null;) {
    const find = { where, orderBy: 'created_at', ascending, limit: 10, ...(after && { after }) };
    const { documents, next } = await models.findSlice<OrderDocument>(orders, find);
    slices.push(documents);
    after = next;
  }
  return slices;
}
