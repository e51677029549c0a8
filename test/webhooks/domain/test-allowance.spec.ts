import { testAllowance, type TestAllowanceEvent } from '../../../src/webhooks/domain/test-allowance.js';
import { given } from '../../support/given.js';

const request = { type: 'RequestTestEvent', endpointId: 'whs_1', chainId: 'chain' } as const;
const requested = (at: string): TestAllowanceEvent => ({ type: 'TestEventRequested', data: { endpointId: 'whs_1', chainId: 'chain', at } });
const ten = Array.from({ length: 10 }, (_, i) => requested(`2026-02-01T08:59:${30 + i}.000Z`));

describe('The limit of test events', () => {
  it('counts each test event', () => given(testAllowance).when(request).then(requested('2026-02-01T09:00:00.000Z')));
  it('refuses more than 10 test events per minute', () =>
    given(testAllowance, ...ten)
      .when(request)
      .refuses('rate_limited'));
  it('allows another test event a minute after the first of ten', () =>
    given(testAllowance, ...ten)
      .when(request, { now: '2026-02-01T09:00:30.000Z' })
      .then(requested('2026-02-01T09:00:30.000Z')));
});
