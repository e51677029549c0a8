import { ListPage, ListSlice } from '../../src/engine/read-models/queries.js';
import type { ReadModelReader } from '../../src/engine/read-models/read-model-reader.js';
import type { JobHandler } from '../../src/engine/registry.js';
import { Rejects } from '../../src/http/openapi/operation.js';
import { auditStream, createAuditedResource, nameByKey } from '../../src/kernel/audited-stream.js';
import { ConsistencyContext, type Context } from '../../src/kernel/context.js';
import type { Decider } from '../../src/kernel/decider.js';
import type { Fact } from '../../src/kernel/event.js';
import type { Job } from '../../src/kernel/jobs.js';
import { declareLists } from '../../src/kernel/ownership.js';
import { pickId, type Projection } from '../../src/kernel/projection.js';
import { declareQueue } from '../../src/kernel/queue.js';
import type { PathOf } from '../../src/kernel/read-models.js';
import { Rejection } from '../../src/kernel/rejection.js';

interface Jar {
  readonly id: string;
  readonly owner: { readonly id: string; readonly email: { readonly hash: string } | null } | null;
  readonly coins: number;
  readonly labels: readonly string[];
  readonly notes: Readonly<Record<string, string>>;
  readonly deleted_at: string | null;
  readonly created_at: string;
  readonly _business: string;
  readonly _mode: 'live' | 'test';
}

type JarEvent =
  | Fact<'JarMade', { readonly jarId: string; readonly coins: number }>
  | Fact<'CoinLent', { readonly jarId: string; readonly loanId: string; readonly friendId?: string }>;

interface Loan {
  readonly loanId: string;
}

declare const jarDecider: Decider<null, never, JarEvent>;

/** A misspelled name does not compile: each `@ts-expect-error` is the test. */
describe('A string that must agree with a type', () => {
  it('is a path of the document, in indexes, totals and hourly sizes', () => {
    const jars: Pick<Projection<Jar>, 'indexes' | 'sparse' | 'totals' | 'hourly'> = {
      // @ts-expect-error -- deleted_at is misspelled
      indexes: [['owner.id', 'created_at'], ['deleted_att']],
      // @ts-expect-error -- an address has no box
      sparse: [['owner.email.hash'], ['owner.email.box']],
      // @ts-expect-error -- an object is no value
      totals: [['owner.id'], ['owner']],
      // @ts-expect-error -- minted_at is no field
      hourly: [{ group: ['owner.id'], times: ['minted_at'] }],
    };
    expect(jars.indexes).toHaveLength(2);
  });

  it('is a path of the document, in the lists of a business', () => {
    const jars: Pick<Projection<Jar>, 'indexes'> = declareLists([['coins']], [['owner.id']]);
    // @ts-expect-error -- coins is misspelled
    const other: Pick<Projection<Jar>, 'indexes'> = declareLists([['coin']]);
    expect([jars.indexes.length, other.indexes.length]).toEqual([2, 1]);
  });

  it('is no path of a list or of a free map', () => {
    const path: PathOf<Jar> = 'coins';
    // @ts-expect-error -- a list has no value
    const label: PathOf<Jar> = 'labels';
    // @ts-expect-error -- the keys of a map are not known
    const note: PathOf<Jar> = 'notes.first';
    expect([path, label, note]).toEqual(['coins', 'labels', 'notes.first']);
  });

  it('is a path of the document, in the filter and the order of a list', () => {
    const list = (reader: ReadModelReader, jars: Projection<Jar>, owner: string | null) => {
      const page = { page: 1, perPage: 25 };
      const [known, misspelled] = [{ 'owner.id': owner }, { ...(owner !== null && { 'ownr.id': owner }), coins: 1 }];
      void reader.getPage(jars, { where: known, ...page, orderBy: 'coins' }, new ConsistencyContext());
      // @ts-expect-error -- owner.id is misspelled
      void reader.getPage(jars, { where: misspelled, ...page }, new ConsistencyContext());
      // @ts-expect-error -- a path that is an object has no order
      void reader.getPage(jars, { where: known, ...page, orderBy: 'owner' }, new ConsistencyContext());
    };
    expect(list).toHaveLength(3);
  });

  it('is a path of the document, in the filter of a list of a business', () => {
    const list = (jars: Projection<Jar>, context: Context, owner: string) => [
      new ListPage(jars, context, { page: 1, perPage: 25 }, { 'owner.id': owner }),
      // @ts-expect-error -- owner.id is misspelled
      new ListPage(jars, context, { page: 1, perPage: 25 }, { 'ownr.id': owner }),
      // @ts-expect-error -- a list has no value
      new ListPage(jars, context, { page: 1, perPage: 25 }, { labels: owner }),
      // @ts-expect-error -- coins is misspelled
      new ListSlice(jars, context, { limit: 25, after: null }, { coin: 1 }),
    ];
    expect(list).toHaveLength(3);
  });

  it('is a key of the data of each event, in the id of a document', () => {
    type JarIds = Pick<Projection<Jar, JarEvent>, 'id'>;
    const known: JarIds = { id: pickId('jarId') };
    // @ts-expect-error -- no event has this key
    const misspelled: JarIds = { id: pickId('jarID') };
    // @ts-expect-error -- one of the events has no such key
    const missing: JarIds = { id: pickId('loanId') };
    // @ts-expect-error -- a number is no id
    const numeric: JarIds = { id: pickId('coins') };
    expect([known, misspelled, missing, numeric]).toHaveLength(4);
  });

  it('is a code of the table of problems, in a rejection and in the declaration of a route', () => {
    const reject = () => [
      new Rejection('no_change', 'Nothing changes.'),
      // @ts-expect-error -- the table has no such code
      new Rejection('bogus_code', 'Nothing changes.'),
      // @ts-expect-error -- the table has no such code
      Rejection.of('bogus_code', 'Nothing changes.', []),
      // @ts-expect-error -- the table has no such code
      Rejects('no_change', 'bogus_code'),
    ];
    expect(reject).toHaveLength(0);
  });

  it('is a key of the data of a job, where the job is created, run and rescheduled', () => {
    const queue = declareQueue<Loan>({ name: 'loans' });
    const create = (key: string, due: string) => [
      queue.createJob({ key, due, data: { loanId: 'loan_1' } }),
      // @ts-expect-error -- loanId is misspelled
      queue.createJob({ key, due, data: { loanID: 'loan_1' } }),
      // @ts-expect-error -- loanId is missing
      queue.createJob({ key, due, data: {} }),
    ];
    const handlers = (): readonly JobHandler<Loan>[] => [
      { queue, concurrency: 1, run: async ({ data }) => void data.loanId },
      // @ts-expect-error -- loanId is misspelled
      { queue, concurrency: 1, run: async ({ data }) => void data.loanID },
      // @ts-expect-error -- the queue has no friend
      { queue, concurrency: 1, run: async ({ data }: Job<Loan & { readonly friend: string }>) => void data.friend },
      // @ts-expect-error -- loanId is no number
      { queue, concurrency: 1, run: async () => ({ at: '', reason: '', data: { loanId: 1 } }) },
    ];
    expect([create, handlers]).toHaveLength(2);
  });

  it('is the queue of the data, in a handler and in an upcaster', () => {
    const jars = declareQueue<{ readonly jarId: string }>({ name: 'jars' });
    const handlers = (run: (job: Job<Loan>) => Promise<void>): readonly JobHandler<Loan>[] => [
      // @ts-expect-error -- the queue has the data of a jar
      { queue: jars, concurrency: 1, run },
    ];
    const upcast = (data: { readonly id: string }) => ({ loanId: data.id });
    const loans = declareQueue<Loan>({ name: 'loans', upcasters: [upcast] });
    // @ts-expect-error -- the upcaster does not return the data of a jar
    const mistaken = declareQueue<{ readonly jarId: string }>({ name: 'jars', upcasters: [upcast] });
    expect([handlers, loans, mistaken]).toHaveLength(3);
  });

  it('is a key of the data of each event, in the history of changes', () => {
    const [jar, loan] = [createAuditedResource('jar'), createAuditedResource('loan')];
    const declare = () => [
      auditStream(jarDecider, nameByKey(jar, 'jarId'), { CoinLent: nameByKey(loan, 'loanId') }),
      // @ts-expect-error -- no event has this key
      auditStream(jarDecider, nameByKey(jar, 'jarID')),
      // @ts-expect-error -- JarMade has no such key
      auditStream(jarDecider, nameByKey(loan, 'loanId')),
      // @ts-expect-error -- JarMade has no such key
      auditStream(jarDecider, jar, { JarMade: nameByKey(loan, 'loanId') }),
      // @ts-expect-error -- CoinLent is misspelled
      auditStream(jarDecider, jar, { CoinsLent: nameByKey(loan, 'loanId') }),
      // @ts-expect-error -- the key may be missing
      auditStream(jarDecider, jar, { CoinLent: nameByKey(loan, 'friendId') }),
    ];
    expect(declare).toHaveLength(0);
  });
});
