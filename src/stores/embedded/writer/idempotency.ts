import type {
  ClaimRequest,
  ClaimResult,
  IdempotencyKey,
  StoredClaim,
  StoredResponse,
} from '../../../kernel/idempotency.js';
import { isProcessDead } from '../../process-id.js';
import type { Statements } from '../sqlite.js';

const RETENTION_MS = 24 * 3_600_000;
const SWEPT_PER_CLAIM = 4;

interface ClaimRow {
  readonly fingerprint: string;
  readonly command_id: string;
  readonly began: number;
  readonly run: number;
  readonly holder: string | null;
  readonly lease: number;
  readonly status: number | null;
  readonly body: string | null;
}

const INSERT =
  'insert into idempotency (scope, key, fingerprint, command_id, began, holder, lease) values (?, ?, ?, ?, ?, ?, ?)';
const SELECT =
  'select fingerprint, command_id, began, run, holder, lease, status, body from idempotency where scope = ? and key = ?';
const RESUME = 'update idempotency set run = ?, holder = ?, lease = ? where scope = ? and key = ?';
const OF_COMMAND = 'where scope = ? and key = ? and command_id = ?';
const COMPLETE = `update idempotency set status = ?, body = ?, holder = null, lease = 0 ${OF_COMMAND} and status is null`;
const RESPONSE = `select status, body from idempotency ${OF_COMMAND}`;
const HELD = `${OF_COMMAND} and run = ? and holder is not null and status is null`;
const RELEASE = `delete from idempotency ${HELD}`;
const SUSPEND = `update idempotency set holder = null, lease = 0 ${HELD}`;
const SWEEP = `delete from idempotency where rowid in
  (select rowid from idempotency where began <= ? and lease <= ? order by began limit ${SWEPT_PER_CLAIM})`;

const LIST = `select scope, key, fingerprint, command_id, began, run, status, body from idempotency
  where began > ? and (scope, key) > (?, ?) order by scope, key limit ?`;
const RESTORE = `insert into idempotency (scope, key, fingerprint, command_id, began, run, lease, status, body)
  values (?, ?, ?, ?, ?, ?, 0, ?, ?) on conflict do nothing`;

export function idempotencyOperations(sql: Statements) {
  return {
    claimKey(
      { scope, key }: IdempotencyKey,
      { fingerprint, leaseMs, holder }: ClaimRequest,
      commandId: string,
      now: number,
    ): ClaimResult {
      sql.run(SWEEP, now - RETENTION_MS, now);
      const entry = sql.get<ClaimRow>(SELECT, scope, key);
      if (entry === undefined || isExpired(entry, now)) {
        sql.run('delete from idempotency where scope = ? and key = ?', scope, key);
        sql.run(INSERT, scope, key, fingerprint, commandId, now, holder, now + leaseMs);
        return { status: 'started', commandId, at: now, run: 1 };
      }
      const result = toClaimResult(entry, fingerprint, now);
      if (result.status === 'started') sql.run(RESUME, result.run, holder, now + leaseMs, scope, key);
      return result;
    },

    completeKey({ scope, key }: IdempotencyKey, commandId: string, answer: StoredResponse): StoredResponse {
      sql.run(COMPLETE, answer.status, answer.body, scope, key, commandId);
      return sql.get<StoredResponse>(RESPONSE, scope, key, commandId) ?? answer;
    },

    releaseKey({ scope, key }: IdempotencyKey, commandId: string, run: number): void {
      sql.run(RELEASE, scope, key, commandId, run);
    },

    suspendKey({ scope, key }: IdempotencyKey, commandId: string, run: number): void {
      sql.run(SUSPEND, scope, key, commandId, run);
    },

    restoreClaims(claims: readonly StoredClaim[]): void {
      for (const { scope, key, fingerprint, commandId, at, run, response } of claims) {
        sql.run(RESTORE, scope, key, fingerprint, commandId, at, run, response?.status ?? null, response?.body ?? null);
      }
    },
  };
}

/** Lists the claims that have not expired at that time. */
export function listStoredClaims(
  sql: Statements,
  after: IdempotencyKey | null,
  limit: number,
  now: number,
): StoredClaim[] {
  const rows = sql.all<ClaimRow & IdempotencyKey>(
    LIST,
    now - RETENTION_MS,
    after?.scope ?? '',
    after?.key ?? '',
    limit,
  );
  return rows.map(({ scope, key, fingerprint, command_id: commandId, began: at, run, status, body }) => {
    const response = status === null ? null : { status, body: body! };
    return { scope, key, fingerprint, commandId, at, run, response };
  });
}

function toClaimResult(entry: ClaimRow, fingerprint: string, now: number): ClaimResult {
  if (entry.fingerprint !== fingerprint) return { status: 'conflict' };
  if (entry.status !== null) return { status: 'completed', response: { status: entry.status, body: entry.body! } };
  if (isRunning(entry, now)) return { status: 'in_progress' };
  return { status: 'started', commandId: entry.command_id, at: entry.began, run: entry.run + 1 };
}

function isExpired(entry: ClaimRow, now: number): boolean {
  return entry.began + RETENTION_MS <= now && !isRunning(entry, now);
}

function isRunning({ holder, lease }: ClaimRow, now: number): boolean {
  return holder !== null && lease > now && !isProcessDead(holder);
}
