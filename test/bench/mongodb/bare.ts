import { type Db, MongoClient } from 'mongodb';
import type { Row } from '../../../src/kernel/read-models.js';
import { DUE, JOB_DATA, LEASE_MS, LISTED, type MeasuredClient, SAVED } from './measured-client.ts';
import { type Order, PAGE } from './orders.ts';

/** The guarantees of the adapter. */
const CONCERNS = { writeConcern: { w: 'majority', journal: true }, readConcern: { level: 'majority' } } as const;

/** The driver alone: it writes without the guards of a projection and of a lease. */
export async function openBare(url: string): Promise<MeasuredClient> {
  const client = await new MongoClient(url, CONCERNS).connect();
  const db = client.db();
  await db.collection(LISTED).createIndex({ 'business.id': 1, created_at: 1, _id: 1 });
  const saved = db.collection<{ _id: string }>(SAVED);
  return {
    load: (ids) => saved.find({ _id: { $in: [...ids] } }, { batchSize: ids.length }).toArray(),
    save: (collection, rows) =>
      db.collection<{ _id: string }>(collection).bulkWrite(rows.map(toReplacement), { ordered: false }),
    list: ({ business, created_at }) =>
      db
        .collection(LISTED)
        .find({ 'business.id': business.id, created_at: { $lt: created_at } })
        .sort({ created_at: -1, _id: -1 })
        .limit(PAGE)
        .toArray(),
    runJob: (queue) => runJob(db, queue),
    close: () => client.close(),
  };
}

function toReplacement({ id, document }: Row<Order>) {
  return { replaceOne: { filter: { _id: id }, replacement: { ...document! }, upsert: true } };
}

async function runJob(db: Db, queue: string): Promise<void> {
  const jobs = db.collection<{ _id: string; lease: string }>('jobs');
  const job = { _id: queue, queue, due: DUE, data: JOB_DATA, lease: '' };
  await jobs.insertOne(job);
  const now = new Date().toISOString();
  const lease = new Date(Date.now() + LEASE_MS).toISOString();
  const free = { queue, due: { $lte: now }, lease: { $lte: now } };
  const claimed = await jobs.findOneAndUpdate(free, { $set: { lease } }, { sort: { due: 1 } });
  await jobs.deleteOne({ _id: claimed!._id, lease });
}
