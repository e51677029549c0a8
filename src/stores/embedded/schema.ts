import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from '../../kernel/create-folder.js';
import { NewerStore } from '../newer-store.js';
import { isFull, type Statements } from './sqlite.js';

/**
 * Raised with every change of the tables, or of stored data that older code would misread or damage. Older code then
 * refuses to write to the file.
 */
export const SCHEMA_VERSION = 7;
const CACHE_KIB = 32 * 1024;
/**
 * Sorts and statement journals stay in memory, so that the store writes to its own folder only. Their size is bounded:
 * the largest are the keys of one index while it is created; a list reads a limited number of rows.
 */
const NO_TEMPORARY_FILES = 'pragma temp_store = memory';
const MIN_SQLITE_VERSION = '3.51.0';

/** Indexes of the jobs that can be claimed, and of leased jobs by their holders. */
const JOB_INDEXES = `
  create index free_jobs on jobs (queue, due, seq) where parked = 0 and lease is null;
  create index leased_jobs on jobs (queue, holder, lease) where lease is not null;
`;

/** Deletes the row of a queue with its last job: there is a queue for every endpoint that has ever had a backlog. */
const JOB_REMOVED = `
  create trigger job_removed after delete on jobs begin
    update job_counts set free = free - (old.parked = 0 and old.lease is null), parked = parked - old.parked where queue = old.queue;
    delete from job_counts where queue = old.queue and free = 0 and parked = 0
      and not exists (select 1 from jobs where queue = old.queue and lease is not null);
  end;
`;

/** The numbers of free and parked jobs of each queue; the other jobs are leased. */
const JOB_COUNTS = `
  create table job_counts (queue text primary key, free integer not null, parked integer not null) without rowid;
  insert into job_counts select queue, sum(parked = 0 and lease is null), sum(parked) from jobs group by queue;
  create trigger job_added after insert on jobs begin
    insert into job_counts values (new.queue, new.parked = 0 and new.lease is null, new.parked)
      on conflict do update set free = free + excluded.free, parked = parked + excluded.parked;
  end;
  create trigger job_changed after update of lease, parked on jobs
    when (old.parked = 0 and old.lease is null) <> (new.parked = 0 and new.lease is null) or old.parked <> new.parked begin
    update job_counts set free = free + (new.parked = 0 and new.lease is null) - (old.parked = 0 and old.lease is null),
      parked = parked + new.parked - old.parked where queue = new.queue;
  end;
  ${JOB_REMOVED}
`;

/** The number of documents of a group per pair of hours; '' stands for a time that is null or not declared. */
const HOURLY_SIZES = `
  create table hourly_sizes (
    collection text not null,
    paths      text not null,
    "values"   text not null,
    first      text not null,
    second     text not null,
    size       integer not null,
    primary key (collection, paths, "values", first, second)
  ) without rowid;
`;

const TABLES = `
  create table events (
    position integer primary key autoincrement,
    stream   text not null,
    revision integer not null,
    id       text not null unique,
    type     text not null,
    data     text not null,
    meta     text not null,
    unique (stream, revision)
  );

  create table collections (name text primary key, shape text not null) without rowid;
  create table totals (
    collection text not null,
    paths      text not null,
    "values"   text not null,
    size       integer not null,
    primary key (collection, paths, "values")
  ) without rowid;
  ${HOURLY_SIZES}
  create table catalogue (name text primary key, revision integer not null, value text not null) without rowid;
  create table checkpoints (name text primary key, position text not null) without rowid;
  create table leases (name text primary key, holder text, token integer not null, ends integer not null) without rowid;

  create table jobs (
    seq      integer primary key autoincrement,
    key      text not null unique,
    queue    text not null,
    due      text not null,
    data     text not null,
    attempt  integer not null default 0,
    failures integer not null default 0,
    holder   text,
    lease    text,
    error    text,
    parked   integer not null default 0
  );
  ${JOB_INDEXES}
  ${JOB_COUNTS}

  create table idempotency (
    scope       text not null,
    key         text not null,
    fingerprint text not null,
    command_id  text not null,
    began       integer not null,
    run         integer not null default 1,
    holder      text,
    lease       integer not null,
    status      integer,
    body        text,
    primary key (scope, key)
  );
  create index idempotency_by_age on idempotency (began);

  create table vault (id text primary key, sealed blob) without rowid;

  create table opened (once integer primary key check (once = 1), times integer not null);
  insert into opened values (1, 0);
`;

/** The changes of each version from the second one; they upgrade an older file when it is opened. */
const UPGRADES = [
  `
  create table catalogue (name text primary key, revision integer not null, value text not null) without rowid;
  alter table jobs add column failures integer not null default 0;
  alter table idempotency add column run integer not null default 1;
  `,
  `drop index jobs_by_due; drop index jobs_by_lease; ${JOB_INDEXES} ${JOB_COUNTS}`,
  HOURLY_SIZES,
  `drop trigger job_removed; ${JOB_REMOVED}
  delete from job_counts where queue not in (select queue from jobs);`,
  // Dead letters can be ranges. Older code would fold events that follow a range, and lose those in the range.
  '',
  // A dead letter holds the events that wait for it. Older code would fold the failed event alone.
  '',
];

/** Creates the file, which only its owner may read. */
export function createFile(file: string): void {
  createFolder(dirname(file));
  closeSync(openSync(file, 'a', 0o600));
}

/** Opens the file for writing. Throws a busy error while another process holds the lock; the caller retries. */
export function openForWriting(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    requireSqliteVersion(db);
    db.exec(NO_TEMPORARY_FILES);
    db.exec(
      'pragma journal_mode = wal; pragma wal_autocheckpoint = 0; pragma secure_delete = on; pragma fullfsync = on',
    );
    db.exec(`pragma synchronous = full; pragma cache_size = -${CACHE_KIB}`);
    upgradeIfPossible(db);
    assertFullSync(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** @param cacheKib the size of the page cache */
export function openForReading(file: string, cacheKib = CACHE_KIB): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  try {
    db.exec(NO_TEMPORARY_FILES);
    // Reads the schema.
    db.exec(`pragma cache_size = -${cacheKib}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Refuses an older SQLite, which gives the pragmas for the write-ahead log another meaning. */
function requireSqliteVersion(db: DatabaseSync): void {
  const { version } = db.prepare('select sqlite_version() as version').get() as { version: string };
  const isOlder = MIN_SQLITE_VERSION.localeCompare(version, 'en', { numeric: true }) > 0;
  if (isOlder)
    throw new Error(
      `the embedded store needs SQLite ${MIN_SQLITE_VERSION} or newer, and this Node.js has ${version}: use a newer one`,
    );
}

/**
 * Upgrades the file. When the disk is full, a file of the current version is opened all the same: it can still be
 * read.
 */
function upgradeIfPossible(db: DatabaseSync): void {
  try {
    upgrade(db);
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    if (!isFull(error) || readUserVersion(db) !== SCHEMA_VERSION) throw error;
  }
}

function upgrade(db: DatabaseSync): void {
  db.exec('begin immediate');
  const version = readUserVersion(db);
  if (version > SCHEMA_VERSION) throw new NewerStore(version);
  for (const change of version === 0 ? [TABLES] : UPGRADES.slice(version - 1)) db.exec(change);
  if (version !== SCHEMA_VERSION) db.exec(`pragma user_version = ${SCHEMA_VERSION}`);
  db.exec('update opened set times = times + 1; commit');
}

/** Checks the setting after the first write: some builds fall back to NORMAL at that write in WAL mode. */
function assertFullSync(db: DatabaseSync): void {
  const FULL = 2;
  if (db.prepare('pragma synchronous').get()!.synchronous !== FULL)
    throw new Error('SQLite does not keep synchronous = FULL');
}

/** Returns the error for a file to which newer code has written; null otherwise. */
export function findNewerStore(file: string): NewerStore | null {
  const db = openForReading(file);
  try {
    const version = readUserVersion(db);
    return version > SCHEMA_VERSION ? new NewerStore(version) : null;
  } finally {
    db.close();
  }
}

export function readVersion(sql: Statements): number {
  return sql.get<{ user_version: number }>('pragma user_version')!.user_version;
}

function readUserVersion(db: DatabaseSync): number {
  return Number(db.prepare('pragma user_version').get()!.user_version);
}
