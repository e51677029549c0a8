import { commercePublicEvents } from './commerce/public-events.js';
import { communityPublicEvents } from './community/public-events.js';
import type { Publication, PublicEventDefinition } from './kernel/public-event-definition.js';
import { webhooksPublicEvents } from './webhooks/public-events.js';

/** The public events of all areas, sorted by type. */
export const PUBLIC_EVENTS: readonly (PublicEventDefinition | Publication)[] = [
  ...commercePublicEvents,
  ...communityPublicEvents,
  ...webhooksPublicEvents,
].sort((a, b) => (a.type < b.type ? -1 : 1));
