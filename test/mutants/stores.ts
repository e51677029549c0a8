import type { Mutant } from './mutant.ts';

/** Mutants of the embedded store. */
export const stores: readonly Mutant[] = [
  {
    name: 'a key that a killed process destroyed stays in the write-ahead log',
    file: 'stores/embedded/writer/write-ahead-log.ts',
    from: 'private mustTruncate = true;',
    to: 'private mustTruncate = false;',
    specs: ['stores/killed-process-files.spec.ts'],
  },
  {
    name: 'an earlier run of a job ends the later one',
    file: 'stores/embedded/writer/jobs.ts',
    from: 'where seq = ? and attempt = ? and holder',
    to: 'where seq = ? and attempt >= ? and holder',
    specs: ['stores/embedded.spec.ts'],
  },
  {
    name: 'a checkpoint moves back',
    file: 'stores/embedded/writer/documents.ts',
    from: 'set position = excluded.position where excluded.position > position`;\nconst LEASE',
    to: 'set position = excluded.position`;\nconst LEASE',
    specs: ['stores/embedded.spec.ts'],
  },
  {
    name: 'a destroyed key can be stored again',
    file: 'stores/embedded/writer/vault.ts',
    from: '(id, sealed) values (?, ?) on conflict do nothing',
    to: '(id, sealed) values (?, ?) on conflict do update set sealed = excluded.sealed',
    specs: ['stores/embedded.spec.ts'],
  },
  {
    name: 'a partial append counts as a complete append',
    file: 'stores/embedded/writer/events.ts',
    from: 'recorded.length === events.length && ',
    to: 'recorded.length > 0 && ',
    specs: ['stores/embedded.spec.ts'],
  },
  {
    name: 'a count of several groups has only the first one',
    file: 'stores/embedded/collections.ts',
    from: 'combineValues(where, paths).map((group)',
    to: 'combineValues(where, paths).slice(0, 1).map((group)',
    specs: ['contracts/contract.spec.ts', 'stores/embedded.spec.ts'],
  },
  {
    name: 'the first page of several values has only those of the first one',
    file: 'stores/embedded/slices.ts',
    from: 'const fixed = combineValues(find.where, paths.slice(0, -1));',
    to: 'const fixed = combineValues(find.where, paths.slice(0, -1)).slice(0, 1);',
    specs: ['stores/embedded.spec.ts'],
  },
  {
    name: 'a key ends after 24 hours while its request runs',
    file: 'stores/embedded/writer/idempotency.ts',
    from: 'entry.began + RETENTION_MS <= now && !isRunning(entry, now)',
    to: 'entry.began + RETENTION_MS <= now',
    specs: ['stores/embedded.spec.ts'],
  },
  {
    name: 'expired keys are kept for ever',
    file: 'stores/embedded/writer/idempotency.ts',
    from: '      sql.run(SWEEP, now - RETENTION_MS, now);\n',
    to: '',
    specs: ['stores/expired-keys.spec.ts'],
  },
  {
    name: 'a resumed request extends the life of its key',
    file: 'stores/embedded/writer/idempotency.ts',
    from: 'update idempotency set run = ?, holder = ?, lease = ? where',
    to: 'update idempotency set run = ?, holder = ?, lease = ?, began = began + 43200000 where',
    specs: ['stores/embedded.spec.ts'],
  },
  {
    name: 'a failure of repeated work is not reported',
    file: 'stores/mongodb/repeat.ts',
    from: "reportAndIgnore({ kind: 'loop', name })",
    to: '() => undefined',
    specs: ['stores/mongodb/failing-work.spec.ts'],
  },
  {
    name: 'the next page of a list on MongoDB scans the index from its start',
    file: 'stores/mongodb/query.ts',
    from: 'const values = { ...from, $or:',
    to: 'const values = { $or:',
    specs: ['stores/mongodb/query.spec.ts'],
  },
];
