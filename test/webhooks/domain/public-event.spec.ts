import { type PublicEvent, publicEventDecider, publicEventIdOf } from '../../../src/webhooks/domain/public-event.js';
import { given } from '../../support/given.js';

const event: PublicEvent = {
  eventId: 'evt_1',
  type: 'product.approved',
  version: '1',
  sequence: 1,
  occurredAt: '2026-02-01T09:00:00.000Z',
  businessId: 'biz_1',
  mode: 'live',
  data: { id: 'prod_1' },
  changes: { status: { before: 'pending', after: 'approved' } },
};

describe('A public event', () => {
  it('is recorded', () =>
    given(publicEventDecider)
      .when({ type: 'RecordPublicEvent', event })
      .then({ type: 'PublicEventRecorded', data: event }));

  it('never changes after it was recorded', () =>
    given(publicEventDecider, { type: 'PublicEventRecorded', data: event })
      .when({ type: 'RecordPublicEvent', event: { ...event, data: { id: 'prod_2' } } })
      .thenNothing());

  it('has an id that is derived from its fact and type', () => {
    const id = publicEventIdOf(event.occurredAt, 'fact', 'product.approved');
    expect(id).toMatch(/^evt_[0-9a-z]{26}$/);
    expect(publicEventIdOf(event.occurredAt, 'fact', 'product.approved')).toBe(id);
    expect(publicEventIdOf(event.occurredAt, 'fact', 'product.denied')).not.toBe(id);
  });
});
