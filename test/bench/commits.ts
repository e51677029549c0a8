import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { computePercentile, round } from './numbers.ts';

const COMMITS = 400;
const ROW = 'x'.repeat(600);

/** Measures one durable commit of one row in this folder. */
export function measureCommit(folder: string): { readonly p50_ms: number; readonly p99_ms: number } {
  const db = new DatabaseSync(join(folder, 'commits.sqlite'));
  db.exec(
    'pragma journal_mode = wal; pragma fullfsync = on; pragma synchronous = full; create table rows (id integer primary key, text)',
  );
  const insert = db.prepare('insert into rows (text) values (?)');
  const times = Array.from({ length: COMMITS }, () => {
    const began = performance.now();
    insert.run(ROW);
    return performance.now() - began;
  });
  db.close();
  return { p50_ms: round(computePercentile(times, 50)), p99_ms: round(computePercentile(times, 99)) };
}
