import { ReleaseFunds } from '../../../src/commerce/processes/release-funds.js';
import { contextOf } from '../../support/jar.js';
import { jobOf, Till } from '../till.js';

describe('ReleaseFunds', () => {
  it('releases the funds of a sale once, seven days after it', async () => {
    const till = new Till();
    const sale = await till.checkedOut();
    const { checkout, streams } = till.process();
    await checkout.run(sale, contextOf('checkout ord_1'));
    const release = new ReleaseFunds(streams, till.jobs);
    const succeeded = till.store.log.find(({ type }) => type === 'PaymentSucceeded')!;

    await release.react(succeeded);
    const { job } = [...till.jobs.entries.values()][0]!;
    expect(job.due).toBe('2026-02-08T09:00:00.000Z');

    await release.run(jobOf(sale, job.data));
    await release.run(jobOf(sale, job.data));
    expect(till.recorded.filter((type) => type === 'FundsReleased')).toHaveLength(1);
  });
});
