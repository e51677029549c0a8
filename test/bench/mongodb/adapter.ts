import { importBuilt } from '../built.ts';
import { DUE, JOB_DATA, LEASE_MS, LISTED, type MeasuredClient, SAVED } from './measured-client.ts';
import { PAGE } from './orders.ts';

const { openMongo } =
  await importBuilt<typeof import('../../../src/stores/mongodb/mongodb.js')>('stores/mongodb/mongodb.js');

const SCHEMA = { indexes: [['business.id', 'created_at']], totals: [['business.id', '_mode']] };

export async function openAdapter(url: string): Promise<MeasuredClient> {
  const { models, jobs, close } = await openMongo({ url });
  for (const collection of [SAVED, LISTED]) await models.ensureCollection(collection, SCHEMA);
  return {
    load: (ids) => models.load(SAVED, ids),
    save: (collection, rows) => models.upsert(collection, rows),
    list: ({ id, business, created_at: value }) =>
      models.find(LISTED, {
        where: { 'business.id': business.id },
        orderBy: 'created_at',
        after: { value, id },
        limit: PAGE,
      }),
    runJob: async (queue) => {
      await jobs.enqueue([{ key: queue, queue, due: DUE, data: JOB_DATA }]);
      const [job] = await jobs.claim(queue, { limit: 1, leaseMs: LEASE_MS, holder: 'bench' });
      await jobs.complete(job!);
    },
    close,
  };
}
