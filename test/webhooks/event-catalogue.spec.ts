import '../../src/features.js';
import { TEST_TYPE } from '../../src/webhooks/domain/event-types.js';
import { findEventTypeErrors, listEventTypes } from '../../src/webhooks/event-catalogue.js';
import { mapPublications } from '../../src/webhooks/processes/publications.js';

const FORM = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/;

describe('The catalogue of event types', () => {
  it('has 48 types with valid ids', () => {
    expect(new Set(listEventTypes().map(({ id }) => id)).size).toBe(48);
    for (const { id } of listEventTypes()) expect(id).toMatch(FORM);
  });

  it('marks published types and test events as sent', () => {
    const published = new Set([...mapPublications().values()].map(({ type }) => type));
    const sent = listEventTypes()
      .filter((type) => type.sent)
      .map(({ id }) => id);
    expect(sent).toEqual([...published, TEST_TYPE].sort());
  });
});

describe('A subscription to event types', () => {
  it.each([[['*']], [['*', '*']], [['product.approved', 'offer.sent']]])('accepts %j', (types) =>
    expect(findEventTypeErrors(types)).toEqual([]),
  );

  it.each([
    [['product.approved', 'product.exploded'], 'event_type_unknown', 'event_types[1]'],
    [['offer.sent', 'offer.sent', 'offer.exploded'], 'event_type_unknown', 'event_types[2]'],
    [['webhook.test'], 'event_type_closed', 'event_types[0]'],
    [['*', 'product.approved'], 'invalid_value', 'event_types[0]'],
  ])('refuses %j', (types, code, param) =>
    expect(findEventTypeErrors(types)).toEqual([expect.objectContaining({ code, param })]),
  );
});
