import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import { dateTime, type DocumentOf, enumOf, id, ref, resource, string } from '../../kernel/schema.js';
import type { BusinessEvent } from '../domain/business.js';

export const businessSchema = resource('Business', {
  id: id('biz'),
  object: enumOf('business'),
  name: string,
  owner: ref('user', 'usr'),
  created_at: dateTime,
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
