import type { MongoConnections } from './connections.js';
import { translateOutages } from './failures.js';

const JOBS = [
  { name: 'by due', key: { queue: 1, parked: 1, due: 1, _id: 1 } },
  { name: 'by lease', key: { queue: 1, parked: 1, lease: 1, due: 1 } },
] as const;
const IDEMPOTENCY = [{ name: 'by age', key: { began: 1 } }] as const;

/** Creates the indexes of jobs and idempotency keys. Read models create their own. */
export async function createIndexes({ longRunning: db, indexOptions }: MongoConnections): Promise<void> {
  await translateOutages(() =>
    Promise.all([
      db.collection('jobs').createIndexes([...JOBS], indexOptions),
      db.collection('idempotency').createIndexes([...IDEMPOTENCY], indexOptions),
    ]),
  );
}
