import '../../src/features.js';
import { isSubscribedTo, TEST_TYPE } from '../../src/webhooks/domain/event-types.js';
import { expandEventTypes, findEventTypeErrors, listEventTypes } from '../../src/webhooks/event-catalogue.js';
import { mapPublications } from '../../src/webhooks/processes/publications.js';

const FORM = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/;

describe('The catalogue of event types', () => {
  it('has 106 types with valid ids', () => {
    expect(new Set(listEventTypes().map(({ id }) => id)).size).toBe(106);
    for (const { id } of listEventTypes()) expect(id).toMatch(FORM);
  });

  it('marks published types and test events as sent', () => {
    const published = new Set([...mapPublications().values()].flat().map(({ type }) => type));
    const sent = listEventTypes()
      .filter((type) => type.sent)
      .map(({ id }) => id);
    expect(sent).toEqual([...published, TEST_TYPE].sort());
  });
});

describe('A filter of event types', () => {
  it.each([
    ['*', 'product.approved', true],
    ['*', 'community.message.created', false],
    ['community.message.created', 'community.message.created', true],
    ['community.message.*', 'community.message.created', true],
    ['community.*', 'community.message.created', true],
    ['community.*', 'community.created', true],
    ['community.member.*', 'community.members.joined', false],
    ['product.*', 'product.of_tomorrow', true],
    ['product.*', 'production.started', false],
  ])('%s on %s: %s', (filter, type, selected) => expect(isSubscribedTo([filter], type)).toBe(selected));

  it('selects the ids of its prefix in a list', () => {
    expect(expandEventTypes(['offer.*', 'payout.paid'])).toEqual([
      'offer.accepted',
      'offer.cancelled',
      'offer.created',
      'offer.expired',
      'offer.sent',
      'payout.paid',
    ]);
  });

  it('leaves out of * what floods, and the catalogue shows it', () => {
    const floods = listEventTypes().filter((type) => !type.included_in_all && type.accepts_new_subscriptions);
    expect(floods.map(({ id }) => id)).toEqual([
      'community.challenge.progressed',
      'community.message.created',
      'community.post.liked',
      'community.post.unliked',
    ]);
  });
});

describe('A subscription to event types', () => {
  it.each([[['*']], [['*', '*']], [['product.approved', 'offer.sent']], [['product.*', 'community.member.*']]])(
    'accepts %j',
    (types) => expect(findEventTypeErrors(types)).toEqual([]),
  );

  it.each([
    [['product.approved', 'product.exploded'], 'event_type_unknown', 'event_types[1]'],
    [['offer.sent', 'offer.sent', 'offer.exploded'], 'event_type_unknown', 'event_types[2]'],
    [['product.approv*'], 'event_type_unknown', 'event_types[0]'],
    [['toaster.*'], 'event_type_unknown', 'event_types[0]'],
    [['product.approved.*'], 'event_type_unknown', 'event_types[0]'],
    [['*', 'product.*'], 'invalid_value', 'event_types[0]'],
    [['webhook.test'], 'event_type_closed', 'event_types[0]'],
    [['*', 'product.approved'], 'invalid_value', 'event_types[0]'],
  ])('refuses %j', (types, code, param) =>
    expect(findEventTypeErrors(types)).toEqual([expect.objectContaining({ code, param })]),
  );
});
