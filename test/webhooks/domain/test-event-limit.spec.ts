import { testEventLimitDecider, type TestEventLimitEvent } from '../../../src/webhooks/domain/test-event-limit.js';
import { given } from '../../support/given.js';

const request = { type: 'RequestTestEvent', endpointId: 'whs_1', chainId: 'deliveryChain' } as const;
const requested = (at: string): TestEventLimitEvent => ({
  type: 'TestEventRequested',
  data: { endpointId: 'whs_1', chainId: 'deliveryChain', at },
});
const ten = Array.from({ length: 10 }, (_, i) => requested(`2026-02-01T08:59:${30 + i}.000Z`));

describe('The limit of test events', () => {
  it('counts each test event', () =>
    given(testEventLimitDecider).when(request).then(requested('2026-02-01T09:00:00.000Z')));
  it('refuses more than 10 test events per minute', () =>
    given(testEventLimitDecider, ...ten)
      .when(request)
      .thenLimits(30));
  it('allows another test event a minute after the first of ten', () =>
    given(testEventLimitDecider, ...ten)
      .when(request, { now: '2026-02-01T09:00:30.000Z' })
      .then(requested('2026-02-01T09:00:30.000Z')));
});
