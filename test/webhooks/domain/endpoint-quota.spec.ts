import {
  type EndpointQuotaCommand,
  endpointQuotaDecider,
  type EndpointQuotaEvent,
} from '../../../src/webhooks/domain/endpoint-quota.js';
import { given } from '../../support/given.js';

const claim = (endpointId: string): EndpointQuotaCommand => ({
  type: 'ClaimEndpointQuota',
  endpointId,
  businessId: 'biz_1',
  limit: 1,
});
const claimed: EndpointQuotaEvent = {
  type: 'EndpointQuotaClaimed',
  data: { endpointId: 'whs_1', businessId: 'biz_1', at: '2026-02-01T09:00:00.000Z' },
};
const released: EndpointQuotaEvent = { type: 'EndpointQuotaReleased', data: { endpointId: 'whs_1' } };

describe('The endpoint quota', () => {
  it('is claimed by an endpoint', () => given(endpointQuotaDecider).when(claim('whs_1')).then(claimed));
  it('refuses a claim above the limit', () =>
    given(endpointQuotaDecider, claimed).when(claim('whs_2')).thenRejects('endpoint_limit_reached'));
  it('is claimed once by the same endpoint', () =>
    given(endpointQuotaDecider, claimed).when(claim('whs_1')).thenNothing());
  it('is released', () =>
    given(endpointQuotaDecider, claimed).when({ type: 'ReleaseEndpointQuota', endpointId: 'whs_1' }).then(released));
  it('is released once', () =>
    given(endpointQuotaDecider, claimed, released)
      .when({ type: 'ReleaseEndpointQuota', endpointId: 'whs_1' })
      .thenNothing());
});
