import type { NounParts } from '../../engine/area-parts.js';
import { Entitlements } from '../entitlements.js';
import { CommerceProductLookup } from '../processes/commerce-product-lookup.js';
import { EndPurchasedMemberships } from '../processes/end-purchased-memberships.js';
import { GrantEntitlements } from '../processes/grant-entitlements.js';
import { ProductLookup } from '../product-lookup.js';

export const entitlementParts: NounParts = {
  providers: [Entitlements, { provide: ProductLookup, useClass: CommerceProductLookup }],
  reactors: [GrantEntitlements, EndPurchasedMemberships],
};
