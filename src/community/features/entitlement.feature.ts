import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource } from '../../kernel/audited-stream.js';
import { entitlementDecider } from '../domain/entitlement.js';
import { Entitlements } from '../entitlements.js';
import { CommerceProductLookup } from '../processes/commerce-product-lookup.js';
import { EndEntitlements } from '../processes/end-entitlements.js';
import { EndPurchasedMemberships } from '../processes/end-purchased-memberships.js';
import { GrantEntitlements } from '../processes/grant-entitlements.js';
import { PurchaseEntitlements } from '../processes/purchase-entitlements.js';
import { Purchases } from '../processes/purchases.js';
import { ProductLookup } from '../product-lookup.js';

export const entitlementFeature: Feature = {
  streams: [auditStream(entitlementDecider, createAuditedResource('entitlement'))],
  providers: [
    Entitlements,
    Purchases,
    PurchaseEntitlements,
    { provide: ProductLookup, useClass: CommerceProductLookup },
  ],
  reactors: [GrantEntitlements, EndEntitlements, EndPurchasedMemberships],
};
