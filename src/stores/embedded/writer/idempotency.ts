import type { Begun, Claim, IdempotencyKey, KeptClaim, StoredAnswer } from '../../../kernel/idempotency.js';
import { isGone } from '../../holder.js';
import type { Statements } from '../sqlite.js';

const KEPT_MS = 24 * 3_600_000;
const SWEPT_PER_BEGIN = 4;

interface Entry {
  readonly fingerprint: string;
  readonly command_id: string;
  readonly began: number;
  readonly run: number;
  readonly holder: string | null;
  readonly lease: number;
  readonly status: number | null;
  readonly body: string | null;
}

const INSERT = 'insert into idempotency (scope, key, fingerprint, command_id, began, holder, lease) values (?, ?, ?, ?, ?, ?, ?)';
const SELECT = 'select fingerprint, command_id, began, run, holder, lease, status, body from idempotency where scope = ? and key = ?';
const RESUME = 'update idempotency set run = ?, holder = ?, lease = ? where scope = ? and key = ?';
const OF_COMMAND = 'where scope = ? and key = ? and command_id = ?';
const FINISH = `update idempotency set status = ?, body = ?, holder = null, lease = 0 ${OF_COMMAND} and status is null`;
const ANSWER = `select status, body from idempotency ${OF_COMMAND}`;
const HELD = `${OF_COMMAND} and run = ? and holder is not null and status is null`;
const FORGET = `delete from idempotency ${HELD}`;
const ABANDON = `update idempotency set holder = null, lease = 0 ${HELD}`;
const SWEEP =
  'delete from idempotency where rowid in (select rowid from idempotency where began <= ? and lease <= ? order by began limit ?)';

const LIST = `select scope, key, fingerprint, command_id, began, run, status, body from idempotency
  where began > ? and (scope, key) > (?, ?) order by scope, key limit ?`;
const RESTORE = `insert into idempotency (scope, key, fingerprint, command_id, began, run, lease, status, body)
  values (?, ?, ?, ?, ?, ?, 0, ?, ?) on conflict do nothing`;

export function idempotencyOperations(sql: Statements) {
  return {
    begin({ scope, key }: IdempotencyKey, { fingerprint, leaseMs, holder }: Claim, commandId: string, now: number): Begun {
      sql.run(SWEEP, now - KEPT_MS, now, SWEPT_PER_BEGIN);
      const entry = sql.get<Entry>(SELECT, scope, key);
      if (entry === undefined || isOver(entry, now)) {
        sql.run('delete from idempotency where scope = ? and key = ?', scope, key);
        sql.run(INSERT, scope, key, fingerprint, commandId, now, holder, now + leaseMs);
        return { status: 'started', commandId, at: now, run: 1 };
      }
      const begun = asFound(entry, fingerprint, now);
      if (begun.status === 'started') sql.run(RESUME, begun.run, holder, now + leaseMs, scope, key);
      return begun;
    },

    finish({ scope, key }: IdempotencyKey, commandId: string, answer: StoredAnswer): StoredAnswer {
      sql.run(FINISH, answer.status, answer.body, scope, key, commandId);
      return sql.get<StoredAnswer>(ANSWER, scope, key, commandId) ?? answer;
    },

    forget({ scope, key }: IdempotencyKey, commandId: string, run: number): void {
      sql.run(FORGET, scope, key, commandId, run);
    },

    abandon({ scope, key }: IdempotencyKey, commandId: string, run: number): void {
      sql.run(ABANDON, scope, key, commandId, run);
    },

    restoreClaims(claims: readonly KeptClaim[]): void {
      for (const { scope, key, fingerprint, commandId, at, run, answer } of claims) {
        sql.run(RESTORE, scope, key, fingerprint, commandId, at, run, answer?.status ?? null, answer?.body ?? null);
      }
    },
  };
}

/** Lists the claims that have not expired at that time. */
export function keptClaims(sql: Statements, after: IdempotencyKey | null, limit: number, now: number): KeptClaim[] {
  const rows = sql.all<Entry & IdempotencyKey>(LIST, now - KEPT_MS, after?.scope ?? '', after?.key ?? '', limit);
  return rows.map(({ scope, key, fingerprint, command_id: commandId, began: at, run, status, body }) => {
    const answer = status === null ? null : { status, body: body! };
    return { scope, key, fingerprint, commandId, at, run, answer };
  });
}

function asFound(entry: Entry, fingerprint: string, now: number): Begun {
  if (entry.fingerprint !== fingerprint) return { status: 'conflict' };
  if (entry.status !== null) return { status: 'completed', answer: { status: entry.status, body: entry.body! } };
  if (isRunning(entry, now)) return { status: 'in_progress' };
  return { status: 'started', commandId: entry.command_id, at: entry.began, run: entry.run + 1 };
}

function isOver(entry: Entry, now: number): boolean {
  return entry.began + KEPT_MS <= now && !isRunning(entry, now);
}

function isRunning({ holder, lease }: Entry, now: number): boolean {
  return holder !== null && lease > now && !isGone(holder);
}
