import { testAllowance, type TestAllowanceEvent } from '../../../src/webhooks/domain/test-allowance.js';
import { given } from '../../support/given.js';

const request = { type: 'RequestTestEvent', endpointId: 'whs_1', chainId: 'chain' } as const;
const requested = (at: string): TestAllowanceEvent => ({ type: 'TestEventRequested', data: { endpointId: 'whs_1', chainId: 'chain', at } });
const ten = Array.from({ length: 10 }, (_, i) => requested(`2026-02-01T08:59:${30 + i}.000Z`));

describe('Test events', () => {
  it('are counted', () => given(testAllowance).when(request).then(requested('2026-02-01T09:00:00.000Z')));
  it('are at most 10 a minute', () =>
    given(testAllowance, ...ten)
      .when(request)
      .refuses('rate_limited'));
  it('are allowed again a minute after the first of them', () =>
    given(testAllowance, ...ten)
      .when(request, { now: '2026-02-01T09:00:30.000Z' })
      .then(requested('2026-02-01T09:00:30.000Z')));
});
