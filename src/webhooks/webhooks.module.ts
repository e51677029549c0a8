import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Registry } from '../engine/registry.js';
import { CreateEndpointHandler, DeleteEndpointHandler, EditEndpointHandler } from './commands/endpoint.commands.js';
import { EndpointPlaces } from './commands/endpoint-places.js';
import { ReplayDeliveryHandler } from './commands/replay.commands.js';
import { RotateSecretHandler } from './commands/rotation.commands.js';
import { SendTestEventHandler } from './commands/test-event.commands.js';
import { DeliveriesController } from './http/deliveries.controller.js';
import { EndpointsController } from './http/endpoints.controller.js';
import { EventTypesController } from './http/event-types.controller.js';
import { Delivering } from './processes/delivering.js';
import { Dropping } from './processes/dropping.js';
import { Planning } from './processes/planning.js';
import { Publishing } from './processes/publishing.js';
import { deliveries } from './projections/deliveries.js';
import { endpointActivity } from './projections/endpoint-activity.js';
import { endpoints } from './projections/endpoints.js';
import { ListDeliveriesHandler, ListEndpointsHandler, RetrieveEndpointHandler } from './projections/queries.js';
import { Addresses } from './sending/addresses.js';
import { Attempts } from './sending/attempts.js';
import { PublicEvents } from './sending/public-events.js';
import { Sender } from './sending/sender.js';
import { Slots } from './sending/slots.js';
import { WatchedAttempts } from './sending/watched-attempts.js';

const commands = [
  CreateEndpointHandler,
  EditEndpointHandler,
  DeleteEndpointHandler,
  RotateSecretHandler,
  SendTestEventHandler,
  ReplayDeliveryHandler,
];
const queries = [RetrieveEndpointHandler, ListEndpointsHandler, ListDeliveriesHandler];
const processes = [Publishing, Planning, Delivering, Dropping];
const sending = [Addresses, Attempts, PublicEvents, Sender, Slots, WatchedAttempts];

@Module({
  imports: [CqrsModule],
  controllers: [EndpointsController, DeliveriesController, EventTypesController],
  providers: [EndpointPlaces, ...commands, ...queries, ...processes, ...sending],
})
export class WebhooksModule {
  constructor(registry: Registry, publishing: Publishing, planning: Planning, dropping: Dropping, delivering: Delivering) {
    registry.add({
      projections: [endpoints, endpointActivity, deliveries],
      reactors: [publishing, planning, dropping],
      jobs: delivering.handlers,
    });
  }
}
