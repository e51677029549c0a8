import '../../../src/features.js';
import { planChain, type PlannedEvent } from '../../../src/webhooks/domain/chain-plan.js';
import type { Endpoint } from '../../../src/webhooks/domain/endpoint.js';
import { CHAIN, SETTINGS } from '../facts.js';

const ENDPOINT = {
  status: 'enabled',
  id: CHAIN.endpointId,
  business: CHAIN.businessId,
  mode: CHAIN.mode,
  settings: SETTINGS,
  secretId: 'sec_1',
  disabledTimes: 0,
  warnings: {},
} satisfies Endpoint;
const EVENT: PlannedEvent = {
  eventId: CHAIN.eventId,
  type: CHAIN.eventType,
  version: CHAIN.eventVersion,
  occurredAt: CHAIN.occurredAt,
  businessId: CHAIN.businessId,
  mode: CHAIN.mode,
};
/** A type that is not part of `*`. */
const FLOOD: PlannedEvent = { ...EVENT, type: 'community.message.created' };

const subscribe = (...eventTypes: string[]): Endpoint => ({ ...ENDPOINT, settings: { ...SETTINGS, eventTypes } });

describe('The plan of a delivery chain', () => {
  it('has the facts of the event and the endpoint, and an id that derives from both', () => {
    const plan = planChain(EVENT, ENDPOINT)!;
    expect(plan).toMatchObject({ ...CHAIN, chainId: plan.chainId });
    expect(planChain(EVENT, ENDPOINT)).toEqual(plan);
    expect(planChain(EVENT, { ...ENDPOINT, id: 'whs_2' })?.chainId).not.toBe(plan.chainId);
  });

  it.each<[string, PlannedEvent, Endpoint]>([
    ['of a type without a subscription', EVENT, subscribe('offer.sent')],
    ['of a type that `*` leaves out', FLOOD, subscribe('*')],
    ['of another business', { ...EVENT, businessId: 'biz_2' }, ENDPOINT],
    ['of another mode', { ...EVENT, mode: 'test' }, ENDPOINT],
    ['to an unknown endpoint', EVENT, { status: 'unknown' }],
  ])('is missing for an event %s', (_, event, endpoint) => expect(planChain(event, endpoint)).toBeNull());

  it.each(['community.message.created', 'community.message.*'])('has a type that `*` leaves out for %s', (filter) =>
    expect(planChain(FLOOD, subscribe(filter))).not.toBeNull(),
  );
});
