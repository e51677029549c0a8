import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource } from '../../kernel/audited-stream.js';
import { PublicEventCache } from '../delivery/public-event-cache.js';
import { publicEventDecider } from '../domain/public-event.js';
import { EventStreamController } from '../http/event-stream.controller.js';
import { EventTypesController } from '../http/event-types.controller.js';
import { PublicEventsController } from '../http/public-events.controller.js';
import { PublishEvents } from '../processes/publish-events.js';
import { publicEvents } from '../projections/public-events.js';
import { publicEventQueryHandlers } from '../queries/public-event.queries.js';
import { EventMessages } from '../streaming/event-messages.js';
import { EventStreams } from '../streaming/event-streams.js';
import { PublicEventFeed } from '../streaming/public-event-feed.js';

export const publicEvent = createAuditedResource('event', publicEvents);

/** The events that receivers get, their types, and the stream of events. */
export const publicEventFeature: Feature = {
  streams: [auditStream(publicEventDecider, publicEvent)],
  projections: [publicEvents],
  controllers: [EventStreamController, PublicEventsController, EventTypesController],
  providers: [EventMessages, EventStreams, PublicEventCache, PublicEventFeed, ...publicEventQueryHandlers],
  reactors: [PublishEvents],
};
