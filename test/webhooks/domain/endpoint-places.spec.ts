import { endpointPlaces, type EndpointPlacesCommand, type EndpointPlacesEvent } from '../../../src/webhooks/domain/endpoint-places.js';
import { given } from '../../support/given.js';

const take = (endpointId: string): EndpointPlacesCommand => ({ type: 'TakeEndpointPlace', endpointId, businessId: 'biz_1', limit: 1 });
const taken: EndpointPlacesEvent = {
  type: 'EndpointPlaceTaken',
  data: { endpointId: 'whs_1', businessId: 'biz_1', at: '2026-02-01T09:00:00.000Z' },
};
const freed: EndpointPlacesEvent = { type: 'EndpointPlaceFreed', data: { endpointId: 'whs_1' } };

describe('The endpoint quota', () => {
  it('is claimed by an endpoint', () => given(endpointPlaces).when(take('whs_1')).then(taken));
  it('refuses a claim above the limit', () => given(endpointPlaces, taken).when(take('whs_2')).refuses('endpoint_limit_reached'));
  it('is claimed once by the same endpoint', () => given(endpointPlaces, taken).when(take('whs_1')).nothing());
  it('is released', () => given(endpointPlaces, taken).when({ type: 'FreeEndpointPlace', endpointId: 'whs_1' }).then(freed));
  it('is released once', () => given(endpointPlaces, taken, freed).when({ type: 'FreeEndpointPlace', endpointId: 'whs_1' }).nothing());
});
