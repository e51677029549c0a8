import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AreaProcesses, joinFeatures } from '../engine/feature.js';
import { Registry } from '../engine/registry.js';
import { EventDescriptions } from '../http/openapi/event-descriptions.js';
import { webhooksUpcasters } from './domain/upcasters.js';
import { listEventDescriptions } from './event-catalogue.js';
import { deliveryFeature } from './features/delivery.feature.js';
import { endpointFeature } from './features/endpoint.feature.js';
import { publicEventFeature } from './features/public-event.feature.js';
import { replayJobFeature } from './features/replay-job.feature.js';

export const webhooksFeatures = [endpointFeature, deliveryFeature, publicEventFeature, replayJobFeature];

const { controllers, providers, registrations } = joinFeatures(webhooksFeatures);
const descriptions: EventDescriptions = { list: listEventDescriptions };

@Module({
  imports: [CqrsModule],
  controllers,
  providers: [...providers, { provide: EventDescriptions, useValue: descriptions }],
})
export class WebhooksModule {
  constructor(registry: Registry, processes: AreaProcesses) {
    registry.add({ ...registrations, ...processes, upcasters: webhooksUpcasters });
  }
}
