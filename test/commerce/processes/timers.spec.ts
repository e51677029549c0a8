import type { Timer } from '../../../src/commerce/projections/timers.js';
import { CheckoutFixture } from '../checkout-fixture.js';

const retry: Timer = {
  kind: 'renewal',
  nounId: 'ps_1',
  due: '2026-02-01T09:00:00.000Z',
  eventId: '0c6f2a4e-5a3c-5a55-8f0a-1a2b3c4d5e6f',
  correlationId: 'req_1',
  requestId: 'req_1',
  _business: 'biz_1',
  _mode: 'live',
};
const startedAgain: Timer = { ...retry, eventId: '7b1d9c3e-2f4a-5b6c-9d8e-0f1a2b3c4d5e' };

describe('A timer', () => {
  const fixture = new CheckoutFixture();
  const { timers } = fixture.startProcess();
  const claim = () => fixture.jobs.claim('renewals', { limit: 10, leaseMs: 15_000, holder: 'process-1' });

  it('is one job, also when its event is handled twice', async () => {
    await timers.enqueue(retry);
    await timers.enqueue(retry);

    expect(fixture.jobs.entries.size).toBe(1);
  });

  it('runs again when an event starts it again at the same time while its job runs', async () => {
    const [running] = await claim();
    await timers.enqueue(startedAgain);
    await fixture.jobs.complete(running!);

    expect((await claim()).map(({ data }) => data)).toEqual([startedAgain]);
  });
});
