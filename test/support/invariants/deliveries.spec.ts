import { streamOf } from '../../../src/kernel/decider.js';
import type { Fact } from '../../../src/kernel/event.js';
import { deliveryChainDecider } from '../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import { deliveryChainIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { publicEventIdOf } from '../../../src/webhooks/domain/public-event.js';
import { CHAIN, createAttempt, failed, lost, planned, SETTINGS, started, succeeded } from '../../webhooks/facts.js';
import { findBrokenChains, findUnexpectedRequests, findUnpublishedEvents } from './deliveries.js';
import { createLog, createRequest, type SampleFact } from './sample-log.js';

const ENDPOINT = { ...SETTINGS, endpointId: 'whs_1', businessId: 'biz_1', mode: 'live', secretId: 'sec_1' };
const PUBLIC = {
  eventId: 'evt_1',
  type: 'product.approved',
  version: '1',
  occurredAt: CHAIN.occurredAt,
  businessId: 'biz_1',
  mode: 'live',
};

const publicFact: SampleFact = ['publicEvent-evt_1', { type: 'PublicEventRecorded', data: { ...PUBLIC, data: {} } }];
const created = (more: object = {}): SampleFact => [
  'endpoint-whs_1',
  { type: 'EndpointCreated', data: { ...ENDPOINT, ...more } },
];
const wants = (...eventTypes: string[]): SampleFact => [
  'endpoint-whs_1',
  { type: 'EndpointEdited', data: { endpointId: 'whs_1', changes: { eventTypes } } },
];
const deleted: SampleFact = ['endpoint-whs_1', { type: 'EndpointDeleted', data: { endpointId: 'whs_1' } }];
const chainId = deliveryChainIdOf(CHAIN.occurredAt, 'evt_1', 'whs_1');
const attemptFact = (type: string): SampleFact => [
  streamOf(deliveryChainDecider, chainId),
  { type, data: { ...CHAIN, chainId } },
];

describe('The check of I6, each public event for each endpoint,', () => {
  it('finds a fact that was not published', () => {
    const [fact] = createLog(['product-prod_1', { type: 'ProductApproved', data: { productId: 'prod_1' } }]);
    const eventId = publicEventIdOf(fact!.meta.at, fact!.id, 'product.approved');
    const [published] = createLog([
      `publicEvent-${eventId}`,
      { type: 'PublicEventRecorded', data: { ...PUBLIC, eventId } },
    ]);

    expect(findUnpublishedEvents([fact!])).toHaveLength(1);
    expect(findUnpublishedEvents([fact!, published!])).toEqual([]);
  });

  it.each(['DeliveryChainPlanned', 'AttemptStarted', 'DeliveryChainMissed'])(
    'finds an endpoint without its delivery chain, and accepts %s',
    (type) => {
      expect(findUnpublishedEvents(createLog(created(), publicFact))).toHaveLength(1);
      expect(findUnpublishedEvents(createLog(created(), publicFact, attemptFact(type)))).toEqual([]);
    },
  );

  it.each<[string, number, SampleFact[]]>([
    ['was created after the event', 0, [publicFact, created()]],
    ['belongs to another business', 0, [created({ businessId: 'biz_2' }), publicFact]],
    ['belongs to the other mode', 0, [created({ mode: 'test' }), publicFact]],
    ['subscribes to other types', 0, [created({ eventTypes: ['product.denied'] }), publicFact]],
    [
      'subscribed to other types at the time of the event',
      0,
      [created(), wants('product.denied'), publicFact, wants('*')],
    ],
    ['unsubscribed soon after the event', 0, [created(), publicFact, wants('product.denied')]],
    [
      'subscribed before the event',
      1,
      [created({ eventTypes: ['product.denied'] }), wants('product.approved'), publicFact],
    ],
    ['was edited and stayed subscribed', 1, [created(), publicFact, wants('product.approved')]],
    ['is deleted', 0, [created(), publicFact, deleted]],
  ])('requires of an endpoint that %s, this number of delivery chains: %i', (_, chains, facts) => {
    expect(findUnpublishedEvents(createLog(...facts))).toHaveLength(chains);
  });
});

const ofChain = (...facts: readonly Fact[]) =>
  createLog(...facts.map((fact): SampleFact => [streamOf(deliveryChainDecider, CHAIN.chainId), fact]));
const [first, second, third] = [createAttempt(1), createAttempt(2), createAttempt(3)];

describe('The check of I7, attempts of a delivery chain,', () => {
  it('accepts consecutive attempts from 1', () => {
    expect(
      findBrokenChains(ofChain(planned, started(first), lost(first, null), started(second), succeeded(second))),
    ).toEqual([]);
  });

  it.each<[string, Fact[]]>([
    ['a missing attempt number', [started(first), failed(first), started(third), succeeded(third)]],
    ['a repeated attempt number', [started(first), failed(first), started(first), succeeded(first)]],
    ['a repeated end of an attempt', [started(first), failed(first), succeeded(first)]],
    ['an end of an attempt that never started', [started(first), succeeded(second)]],
    [
      'another time of occurrence',
      [started(first), failed(first), started(second), failed(second, { occurredAt: '2026-02-01T09:00:01.000Z' })],
    ],
  ])('finds %s', (_, facts) => {
    expect(findBrokenChains(ofChain(planned, ...facts))).not.toEqual([]);
  });

  it('finds an attempt beyond the cap', () => {
    const upTo = (count: number) =>
      Array.from({ length: count }, (_, i) => createAttempt(i + 1)).flatMap((attempt) => [
        started(attempt),
        failed(attempt),
      ]);

    expect(findBrokenChains(ofChain(planned, ...upTo(20)))).toEqual([]);
    expect(findBrokenChains(ofChain(planned, ...upTo(21)))).toHaveLength(1);
  });
});

describe('The check of I8, received requests,', () => {
  const heard = createRequest(CHAIN, first);

  it('accepts every recorded attempt once', () => {
    expect(findUnexpectedRequests([heard], ofChain(planned, started(first), succeeded(first)))).toEqual([]);
  });

  it('finds an answered attempt that no receiver got', () => {
    expect(findUnexpectedRequests([], ofChain(planned, started(first), succeeded(first)))).toHaveLength(1);
    expect(findUnexpectedRequests([], ofChain(planned, started(first), failed(first)))).toHaveLength(1);
  });

  it('accepts an attempt without a response, and an attempt interrupted by a kill whether it was received or not', () => {
    const inFlight = ofChain(planned, started(first), lost(first, null));
    expect([findUnexpectedRequests([], inFlight), findUnexpectedRequests([heard], inFlight)]).toEqual([[], []]);
    expect(
      findUnexpectedRequests([], ofChain(planned, started(first), failed(first, { responseStatus: null }))),
    ).toEqual([]);
  });

  it('finds an attempt that was sent twice', () => {
    expect(findUnexpectedRequests([heard, heard], ofChain(planned, started(first), succeeded(first)))).toHaveLength(1);
  });

  it('finds a request without a recorded attempt', () => {
    expect(findUnexpectedRequests([heard], ofChain(planned, started(first)))).toHaveLength(1);
  });

  it.each([
    ['another event', createRequest({ ...CHAIN, eventId: 'evt_2' }, first)],
    ['another time of occurrence', createRequest({ ...CHAIN, occurredAt: '2026-02-01T09:00:01.000Z' }, first)],
    ['another attempt', createRequest(CHAIN, { ...first, attempt: 2 })],
  ])('finds a request that was sent as %s', (_, request) => {
    expect(findUnexpectedRequests([request], ofChain(planned, started(first), succeeded(first)))).toHaveLength(1);
  });
});
