import type { Projection } from '../../kernel/projection.js';
import { optionalReference, toReference } from '../../kernel/reference.js';
import {
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  id,
  KIND,
  nullable,
  object,
  ref,
  resource,
} from '../../kernel/schema.js';
import type { EntitlementEvent } from '../domain/entitlement.js';
import { idFields } from './fields.js';

export const entitlementSchema = resource('Entitlement', {
  ...idFields('entitlement', 'ent'),
  status: describe(
    enumOf('active', 'ended'),
    'Whether the purchase entitles its buyer (`active`) or no longer (`ended`).',
  ),
  product: describe(ref('product', 'prod'), 'The product whose communities the buyer may join.'),
  source: describe(
    object({
      object: describe(enumOf('subscription', 'line_item'), KIND),
      id: describe(
        id('(ps|li)'),
        'The id of the subscription or of the line of the order.',
        'li_01kg9p6je0grr0rycz01afc5br',
      ),
    }),
    'The purchase: a subscription, or a line of an order.',
  ),
  user: describe(
    nullable(ref('user', 'usr')),
    'The user who had verified the address of the purchase; null for an address that nobody had verified.',
  ),
  granted_at: describe(dateTime, 'The time at which the entitlement was granted, the last time after an end.'),
  ended_at: describe(nullable(dateTime), 'The time at which the entitlement ended, or null before that.'),
});

/** Renders the public events of an entitlement. It is not a read model. */
export const grantedEntitlements: Projection<DocumentOf<typeof entitlementSchema>, EntitlementEvent> = {
  name: 'grantedEntitlements',
  version: 1,
  id: ({ data }) => toId(data.source),
  indexes: [],
  on: {
    EntitlementGranted: (_, { data: { productId, source, userId = null, at } }, entitlementId) => ({
      id: entitlementId,
      object: 'entitlement',
      status: 'active',
      product: toReference('product', productId),
      source: toReference(source.startsWith('ps_') ? 'subscription' : 'line_item', source),
      user: optionalReference('user', userId),
      granted_at: at,
      ended_at: null,
    }),
    EntitlementEnded: (entitlement, { data: { at } }) =>
      entitlement && { ...entitlement, status: 'ended', ended_at: at },
  },
};

/** A purchase has one entitlement, so both ids share their characters. */
function toId(source: string): string {
  return source.replace(/^[a-z]+_/, 'ent_');
}
