import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import { dateTime, describe, type DocumentOf, enumOf, id, KIND, ref, resource, string } from '../../kernel/schema.js';
import type { BusinessEvent } from '../domain/business.js';

export const businessSchema = resource('Business', {
  id: describe(id('biz'), 'The id of this object; it never changes.'),
  object: describe(enumOf('business'), KIND),
  name: describe(string, 'The name by which people recognize the business.'),
  owner: describe(ref('user', 'usr'), 'The user who owns the business and manages its API keys.'),
  created_at: describe(dateTime, 'The time at which this object was created.'),
});

export type BusinessDocument = DocumentOf<typeof businessSchema>;

export const businesses: Projection<BusinessDocument, BusinessEvent> = {
  name: 'businesses',
  version: 1,
  id: pickId('businessId'),
  indexes: [['owner.id', 'created_at']],
  totals: [['owner.id']],
  on: {
    BusinessCreated: (_, { data: { businessId, name, ownerId }, meta }) => ({
      id: businessId,
      object: 'business',
      name,
      owner: toReference('user', ownerId),
      created_at: meta.at,
    }),
  },
};
