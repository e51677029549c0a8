import { DatabaseSync } from 'node:sqlite';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Projection } from '../../src/kernel/projection.js';
import { createEvent } from './log.ts';

export const EVENTS_PER_JAR = 4;
const PAGE = 1_000;

interface Jar {
  readonly id: string;
  readonly business: string;
  readonly coins: number;
  readonly note: string;
  readonly created_at: string;
}

interface CoinsAdded {
  readonly coins: number;
  readonly note: string;
}

/** The rebuilt projection: one document per four events, with an index and a total as in the service's projections. */
export const jars: Projection<Jar> = {
  name: 'jars',
  version: 1,
  indexes: [['business', 'created_at']],
  totals: [['business']],
  id: ({ stream }) => stream,
  on: {
    CoinsAdded: (jar: Jar | null, { stream, data, meta }: RecordedEvent<string, CoinsAdded>) => ({
      id: stream,
      business: meta.business!,
      coins: (jar?.coins ?? 0) + data.coins,
      note: data.note,
      created_at: jar?.created_at ?? meta.at,
    }),
  },
};

/** Writes events of many jars into the file's log. */
export function fillLog(file: string, events: number): void {
  const db = new DatabaseSync(file);
  const insert = db.prepare('insert into events (stream, revision, id, type, data, meta) values (?, ?, ?, ?, ?, ?)');
  const streams = events / EVENTS_PER_JAR;
  db.exec('begin immediate');
  for (let i = 0; i < events; i++) {
    const { id, type, data, meta } = createEvent();
    insert.run(`jar-${i % streams}`, Math.floor(i / streams), id, type, JSON.stringify(data), JSON.stringify(meta));
  }
  db.exec('commit');
  db.close();
}

interface LogRow {
  readonly position: number;
  readonly stream: string;
  readonly type: string;
  readonly data: string;
  readonly meta: string;
}

/**
 * The minimal loop of a rebuild: reads a page of the log, loads each document, folds, upserts, and commits once per
 * page.
 */
export function foldBare(file: string, collection: string): void {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  db.exec('pragma synchronous = full');
  const fold = createFold(db, `"documents of ${collection}"`);
  const page = db.prepare(
    'select position, stream, type, data, meta from events where position > ? order by position limit ?',
  );
  for (let after = 0, more = true; more;) {
    const rows = page.all(after, PAGE) as unknown as readonly LogRow[];
    db.exec('begin immediate');
    rows.forEach(fold);
    db.exec('commit');
    more = rows.length === PAGE;
    after = rows.at(-1)?.position ?? after;
  }
  db.close();
}

function createFold(db: DatabaseSync, table: string): (row: LogRow) => void {
  const select = db.prepare(`select body from ${table} where id = ?`);
  const orReplace = 'on conflict do update set position = excluded.position, body = excluded.body';
  const upsert = db.prepare(`insert into ${table} (id, position, body) values (?, ?, ?) ${orReplace}`);
  return ({ position, stream, type, data, meta }) => {
    const event = { stream, type, data: JSON.parse(data) as object, meta: JSON.parse(meta) as object } as RecordedEvent;
    const body = (select.get(stream) as { readonly body: string } | undefined)?.body;
    const jar = jars.on[type]!(body === undefined ? null : (JSON.parse(body) as Jar), event, stream);
    upsert.run(stream, String(position).padStart(16, '0'), JSON.stringify(jar));
  };
}
