import { DatabaseSync } from 'node:sqlite';
import type { BuildCatalogue, CatalogueEntry } from '../../../src/kernel/build-catalogue.ts';
import type * as collections from '../../../src/stores/embedded/collections.ts';
import type { EmbeddedStores } from '../../../src/stores/embedded/embedded.ts';
import { importBuilt } from '../built.ts';

const ROWS_PER_COMMIT = 100_000;
const CACHE_KIB = 1024 * 1024;
const POSITION = '0000000000000001';
const FIRST_AT = Date.parse('2026-01-01T00:00:00.000Z');
/** All times are spread over this time. */
const SPAN_MS = Number(process.env.BENCH_SPAN_DAYS ?? 23) * 86_400_000;

export type Document = Record<string, unknown> & { readonly id: string; readonly created_at: string };

/** Returns the id of the n-th copy of a document. */
export function copyId(id: string, n: number): string {
  return `${id}${String(n).padStart(8, '0')}`;
}

/** Rows of one kind, and the statement that inserts one. */
export interface Rows {
  readonly name: string;
  readonly statement: string;
  readonly size: number;
  readonly row: (n: number) => readonly (string | number)[];
}

/** Inserts rows without durable commits: no other process has the file open, and the data can be created again. */
export function insert(file: string, kinds: readonly Rows[]): void {
  const db = new DatabaseSync(file);
  db.exec(`pragma synchronous = off; pragma cache_size = -${CACHE_KIB}`);
  for (const { name, statement, size, row } of kinds) {
    const prepared = db.prepare(statement);
    for (let n = 0; n < size; n++) {
      if (n % ROWS_PER_COMMIT === 0) db.exec(n === 0 ? 'begin' : 'commit; begin');
      prepared.run(...row(n));
    }
    db.exec('commit');
    console.error(`${name}: ${size}`);
  }
  db.exec('pragma wal_checkpoint(truncate)');
  db.close();
}

export async function multiplyDocuments(
  { models, catalogue }: EmbeddedStores,
  name: string,
  size: number,
  change: (document: Document, n: number) => Document,
): Promise<Rows> {
  const { tableOf } = await importBuilt<typeof collections>('stores/embedded/collections.js');
  const build = await findActiveBuild(catalogue, name);
  const [template] = await models.find<Document>(build, { where: {}, orderBy: 'created_at', limit: 1 });
  const statement = `insert into ${tableOf(build)} (id, position, body) values (?, ?, ?)`;
  const row = (n: number) => {
    const id = copyId(template!.id, n);
    const created_at = new Date(FIRST_AT + (n * SPAN_MS) / size).toISOString();
    return [id, POSITION, JSON.stringify(change({ ...template!, id, created_at }, n))];
  };
  return { name, statement, size, row };
}

export async function findActiveBuild(catalogue: BuildCatalogue, name: string): Promise<string> {
  const entry = (await catalogue.listEntries()).find((one: CatalogueEntry) => one.name.startsWith(`${name}@`))!;
  return `${entry.name}#${(entry.value as { readonly active: number }).active}`;
}
