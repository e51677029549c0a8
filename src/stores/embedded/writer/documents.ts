import { LEASE_CLOCK_MARGIN_MS } from '../../../kernel/leases.js';
import { type Position, START } from '../../../kernel/position.js';
import { isProcessDead } from '../../process-id.js';
import { tableOf } from '../collections.js';
import type { Statements } from '../sqlite.js';

/** A stored document: JSON, or null for a tombstone. */
export interface DocumentRow {
  readonly id: string;
  readonly position: Position;
  readonly body: string | null;
}

interface Lease {
  readonly holder: string | null;
  readonly token: number;
  readonly ends: number;
}

const ADVANCE = `insert into checkpoints (name, position) values (?, ?)
  on conflict do update set position = excluded.position where excluded.position > position`;
const LEASE =
  'insert into leases (name, holder, token, ends) values (?, ?, ?, ?) on conflict do update set (holder, token, ends) = (excluded.holder, excluded.token, excluded.ends)';

const INSERT_ENTRY = 'insert into catalogue (name, revision, value) values (?, 1, ?) on conflict do nothing';
const UPDATE_ENTRY = 'update catalogue set revision = revision + 1, value = ? where name = ? and revision = ?';

export function documentOperations(sql: Statements) {
  return {
    upsert(collection: string, rows: readonly DocumentRow[]): void {
      const upsert = `insert into ${tableOf(collection)} (id, position, body) values (?, ?, ?)
        on conflict do update set position = excluded.position, body = excluded.body where excluded.position > position`;
      for (const { id, position, body } of rows) sql.run(upsert, id, position, body);
    },

    /** Returns whether the stored row still had the position `expected`. */
    compareAndSet(collection: string, { id, position, body }: DocumentRow, expected: Position): boolean {
      const table = tableOf(collection);
      if (expected === START) {
        return (
          sql.run(
            `insert into ${table} (id, position, body) values (?, ?, ?) on conflict do nothing`,
            id,
            position,
            body,
          ) > 0
        );
      }
      return (
        sql.run(
          `update ${table} set position = ?, body = ? where id = ? and position = ?`,
          position,
          body,
          id,
          expected,
        ) > 0
      );
    },

    compareAndSetEntry(name: string, expected: number, value: string): boolean {
      return (expected === 0 ? sql.run(INSERT_ENTRY, name, value) : sql.run(UPDATE_ENTRY, value, name, expected)) > 0;
    },

    advanceCheckpoints(checkpoints: Readonly<Record<string, Position>>): void {
      for (const [name, position] of Object.entries(checkpoints)) sql.run(ADVANCE, name, position);
    },

    rewindCheckpoints(names: readonly string[], to: Position): void {
      for (const name of names)
        sql.run('update checkpoints set position = ? where name = ? and position > ?', to, name, to);
    },

    acquireLease(name: string, holder: string, ttlMs: number, now: number): number | null {
      const kept = sql.get<Lease>('select holder, token, ends from leases where name = ?', name);
      const token = findToken(kept, holder, { now, ttlMs });
      if (token !== null) sql.run(LEASE, name, holder, token, now + ttlMs);
      return token;
    },

    releaseLease(name: string, holder: string): void {
      sql.run('update leases set holder = null, ends = 0 where name = ? and holder = ?', name, holder);
    },
  };
}

function findToken(kept: Lease | undefined, holder: string, { now, ttlMs }: LeaseTime): number | null {
  if (kept === undefined) return 1;
  if (kept.holder === holder) return kept.token;
  const hasEnded = kept.ends <= now || kept.ends > now + ttlMs + LEASE_CLOCK_MARGIN_MS;
  return kept.holder === null || hasEnded || isProcessDead(kept.holder) ? kept.token + 1 : null;
}

interface LeaseTime {
  readonly now: number;
  readonly ttlMs: number;
}
