/** The tables of a file of version 1 of the store. Frozen, because such files exist. */
export const VERSION_1 = `
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
  create table checkpoints (name text primary key, position text not null) without rowid;
  create table leases (name text primary key, holder text, token integer not null, ends integer not null) without rowid;

  create table jobs (
    seq      integer primary key autoincrement,
    key      text not null unique,
    queue    text not null,
    due      text not null,
    data     text not null,
    attempt  integer not null default 0,
    holder   text,
    lease    text,
    error    text,
    parked   integer not null default 0
  );
  create index jobs_by_due on jobs (queue, due, seq) where parked = 0;
  create index jobs_by_lease on jobs (queue, lease) where lease is not null;

  create table idempotency (
    scope       text not null,
    key         text not null,
    fingerprint text not null,
    command_id  text not null,
    began       integer not null,
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
  pragma user_version = 1;
`;
