import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const REDELIVERIES = `select count(*) as times from events where type = 'AttemptStarted' and json_extract(data, '$.kind') = 'job' group by stream`;

/** Counts in the log the delivery chains that replay jobs redelivered, and those redelivered more than once. */
export function countRedeliveries(dataDir: string): {
  readonly chains_redelivered: number;
  readonly redelivered_twice: number;
} {
  const db = new DatabaseSync(join(dataDir, 'store.sqlite'), { readOnly: true });
  const chains = db.prepare(REDELIVERIES).all() as { readonly times: number }[];
  db.close();
  return { chains_redelivered: chains.length, redelivered_twice: chains.filter(({ times }) => times > 1).length };
}
