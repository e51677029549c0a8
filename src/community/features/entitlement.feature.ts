import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { entitlementDecider } from '../domain/entitlement.js';
import { Entitlements } from '../entitlements.js';
import { CommerceProductLookup } from '../processes/commerce-product-lookup.js';
import { EndEntitlements } from '../processes/end-entitlements.js';
import { EndPurchasedMemberships } from '../processes/end-purchased-memberships.js';
import { GrantEntitlements } from '../processes/grant-entitlements.js';
import { PurchaseEntitlements } from '../processes/purchase-entitlements.js';
import { Purchases } from '../processes/purchases.js';
import { ProductLookup } from '../product-lookup.js';
import { entitlementSchema, grantedEntitlements } from '../projections/entitlements.js';

export const entitlementFeature: Feature = {
  streams: [auditStream(entitlementDecider, createAuditedResource('entitlement'))],
  publicEvents: [
    publish({
      fact: 'EntitlementGranted',
      type: 'entitlement.granted',
      summary: 'A buyer is entitled',
      description: 'A purchase entitles its buyer to the communities of the product, for the first time or again.',
      projection: grantedEntitlements,
      schema: entitlementSchema,
      change: true,
    }),
    publish({
      fact: 'EntitlementEnded',
      type: 'entitlement.ended',
      summary: 'An entitlement ended',
      description: 'A purchase no longer entitles its buyer: it was refunded or charged back, or its payments ended.',
      projection: grantedEntitlements,
      schema: entitlementSchema,
      change: true,
    }),
  ],
  providers: [
    Entitlements,
    Purchases,
    PurchaseEntitlements,
    { provide: ProductLookup, useClass: CommerceProductLookup },
  ],
  reactors: [GrantEntitlements, EndEntitlements, EndPurchasedMemberships],
};
