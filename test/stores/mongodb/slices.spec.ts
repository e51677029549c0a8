import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import type { Slice, SortKey } from '../../../src/kernel/read-models.js';
import { collectionNameOf, toIndexes } from '../../../src/stores/mongodb/collections.js';
import type { DocumentRow } from '../../../src/stores/mongodb/documents.js';
import { toDocumentRow } from '../../../src/stores/mongodb/documents.js';
import { readSlice } from '../../../src/stores/mongodb/slices.js';
import { findInMemory, order, type OrderDocument, row, SCHEMA } from '../../contracts/documents.js';
import { FIND_QUERIES } from '../../contracts/find-queries.js';
import { scaleRuns, seed } from '../../contracts/seed.js';
import { onMongo } from './server.js';

const SIZE = 60;
/** Fewer than the documents, so that most slices end at the bound. */
const MAX_SCANNED = 7;
const INDEXES = toIndexes(SCHEMA).map(({ key }) => Object.keys(key as object).slice(1, -1));

onMongo((server) => {
  let client: MongoClient;
  let url: string;
  beforeEach(() => {
    url = server.createDatabase();
    client = new MongoClient(url);
  });
  afterEach(async () => {
    await client.close();
    await server.dropDatabase(url);
  });

  it(`reads every list whole, in slices that scan few documents (SEED=${seed})`, async () => {
    const documents = Array.from({ length: SIZE }, (_, n) =>
      order(n, {
        business: { id: `biz_${n % 2}` },
        status: ['open', 'void', 'paid'][n % 3]!,
        closed_at: n % 5 === 0 ? '2026-02-04' : null,
      }),
    );
    const rows = client.db().collection<DocumentRow>(collectionNameOf('orders@1'));
    await rows.insertMany(documents.map((document, n) => toDocumentRow(row(document, n + 1))));

    await fc.assert(
      fc.asyncProperty(FIND_QUERIES, async ({ offset: _, ...find }) => {
        const found: OrderDocument[] = [];
        for (let after: SortKey | null | undefined = find.after; after !== null;) {
          const slice: Slice<OrderDocument> = await readSlice<OrderDocument>(
            rows,
            INDEXES,
            { ...find, ...(after && { after }) },
            MAX_SCANNED,
          );
          found.push(...slice.documents);
          after = slice.next;
        }
        expect(found).toEqual(findInMemory(documents, { ...find, limit: SIZE }));
      }),
      { seed, numRuns: scaleRuns(100) },
    );
  });
});
