import type { Job } from '../../src/kernel/jobs.js';
import { declareQueue, NewerJob } from '../../src/kernel/queue.js';

interface Loan {
  readonly loanId: string;
  readonly days: number;
}

const JOB = { key: 'loan:1', due: '2026-02-01T09:00:00.000Z' };
const LOAN: Loan = { loanId: 'loan_1', days: 7 };
const stored = (data: object): Job => ({ ...JOB, queue: 'loans', data, id: '1', attempt: 1, failures: 0 });

describe('A queue with one version of data', () => {
  const loans = declareQueue<Loan>({ name: 'loans' });

  it('stores the data alone', () =>
    expect(loans.createJob({ ...JOB, data: LOAN })).toEqual({ ...JOB, queue: 'loans', data: LOAN }));

  it('reads the data as they are stored', () => expect(loans.readJob(stored(LOAN))).toEqual(stored(LOAN)));

  it('refuses data of a later version', () =>
    expect(() => loans.readJob(stored({ ...LOAN, _v: 2 }))).toThrow(NewerJob));

  it('has subqueues with the same data', () =>
    expect(loans.subqueue('jar_1').createJob({ ...JOB, data: LOAN })).toEqual({
      ...JOB,
      queue: 'loans:jar_1',
      data: LOAN,
    }));
});

describe('A queue with several versions of data', () => {
  const loans = declareQueue<Loan>({
    name: 'loans',
    upcasters: [
      ({ id }: { readonly id: string }) => ({ loanId: id }),
      ({ loanId }: Pick<Loan, 'loanId'>) => ({ loanId, days: 7 }),
    ],
  });

  it('stores the version with the data', () =>
    expect(loans.createJob({ ...JOB, data: LOAN }).data).toEqual({ ...LOAN, _v: 3 }));

  it.each([
    ['first', { id: 'loan_1' }],
    ['second', { loanId: 'loan_1', _v: 2 }],
    ['current', { ...LOAN, _v: 3 }],
  ])('reads data of the %s version as the current one', (_, data) =>
    expect(loans.readJob(stored(data)).data).toEqual({ ...LOAN, _v: 3 }),
  );

  it('refuses data of a later version, also in a subqueue', () => {
    expect(() => loans.readJob(stored({ ...LOAN, _v: 4 }))).toThrow(
      'loan:1 was created by a newer version of the service: version 4 of the queue loans',
    );
    expect(() => loans.subqueue('jar_1').readJob(stored({ ...LOAN, _v: 4 }))).toThrow(NewerJob);
  });
});
