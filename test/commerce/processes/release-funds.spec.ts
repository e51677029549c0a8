import type { PaymentEvent } from '../../../src/commerce/domain/payment.js';
import { ReleaseFunds } from '../../../src/commerce/processes/release-funds.js';
import { createContext } from '../../support/jar.js';
import { CheckoutFixture, createJob } from '../checkout-fixture.js';

type PaymentSucceeded = Extract<PaymentEvent, { type: 'PaymentSucceeded' }>;

describe('ReleaseFunds', () => {
  it('releases the funds of a sale once, seven days after it', async () => {
    const fixture = new CheckoutFixture();
    const sale = await fixture.checkOut();
    const { checkout, streams } = fixture.startProcess();
    await checkout.run(sale, createContext('checkout ord_1'));
    const release = new ReleaseFunds(streams, fixture.jobs);
    const succeeded = fixture.findEvent<PaymentSucceeded>('PaymentSucceeded');

    await release.react(succeeded);
    const { job } = [...fixture.jobs.entries.values()][0]!;
    expect(job.due).toBe('2026-02-08T09:00:00.000Z');

    await release.run(createJob(sale, job.data));
    await release.run(createJob(sale, job.data));
    expect(fixture.recordedTypes.filter((type) => type === 'FundsReleased')).toHaveLength(1);
  });
});
