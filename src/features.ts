import { auditFeatures, AuditModule } from './audit/audit.module.js';
import { commerceFeatures, CommerceModule } from './commerce/commerce.module.js';
import { communityFeatures, CommunityModule } from './community/community.module.js';
import type { Feature } from './engine/feature.js';
import { projectionFeature } from './engine/projections/projection.feature.js';
import { identityFeatures, IdentityModule } from './identity/identity.module.js';
import { declare } from './kernel/declarations.js';
import { webhooksFeatures, WebhooksModule } from './webhooks/webhooks.module.js';

/** The modules of all areas. */
export const AREA_MODULES = [IdentityModule, WebhooksModule, CommunityModule, CommerceModule, AuditModule];

/** The features of all areas. */
const FEATURES: readonly Feature[] = [
  ...identityFeatures,
  ...webhooksFeatures,
  ...communityFeatures,
  ...commerceFeatures,
  ...auditFeatures,
  projectionFeature,
];

/** The streams of all areas. Every decider of the service is here. */
export const AUDITED_STREAMS = FEATURES.flatMap(({ streams = [] }) => streams);

/** The public events of all areas, sorted by type. */
export const PUBLIC_EVENTS = FEATURES.flatMap(({ publicEvents = [] }) => publicEvents).sort((a, b) =>
  a.type < b.type ? -1 : 1,
);

declare({ streams: AUDITED_STREAMS, publicEvents: PUBLIC_EVENTS });
