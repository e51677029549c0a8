import { isSubscribedTo } from '../../../src/webhooks/domain/event-types.js';

describe('A subscription to event types', () => {
  it('includes every type or the named types', () => {
    expect(isSubscribedTo(['*'], 'offer.sent')).toBe(true);
    expect(isSubscribedTo(['offer.sent'], 'offer.sent')).toBe(true);
    expect(isSubscribedTo(['offer.sent'], 'offer.accepted')).toBe(false);
  });
});
