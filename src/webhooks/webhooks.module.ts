import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Registry } from '../engine/registry.js';
import { CreateEndpointHandler, DeleteEndpointHandler, EditEndpointHandler } from './commands/endpoint.commands.js';
import { EndpointPlaceSteps } from './commands/endpoint-place.steps.js';
import { ReplayDeliveryHandler } from './commands/replay.commands.js';
import { RotateSecretHandler } from './commands/rotation.commands.js';
import { SendTestEventHandler } from './commands/test-event.commands.js';
import { DeliveriesController } from './http/deliveries.controller.js';
import { EndpointsController } from './http/endpoints.controller.js';
import { EventTypesController } from './http/event-types.controller.js';
import { DeliverAttempts } from './processes/deliver-attempts.js';
import { DestroySecrets } from './processes/destroy-secrets.js';
import { DropRetries } from './processes/drop-retries.js';
import { EndLostAttempts } from './processes/end-lost-attempts.js';
import { PlanChains } from './processes/plan-chains.js';
import { PublishEvents } from './processes/publish-events.js';
import { StartChains } from './processes/start-chains.js';
import { deliveries } from './projections/deliveries.js';
import { endpointActivity } from './projections/endpoint-activity.js';
import { endpoints } from './projections/endpoints.js';
import { ListDeliveriesHandler, ListEndpointsHandler, RetrieveEndpointHandler } from './projections/queries.js';
import { Addresses } from './sending/addresses.js';
import { Attempts } from './sending/attempts.js';
import { Dispatches } from './sending/dispatches.js';
import { FirstAttempts } from './sending/first-attempts.js';
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
const processes = [PublishEvents, PlanChains, StartChains, DeliverAttempts, DropRetries, DestroySecrets, EndLostAttempts];
const sending = [Addresses, Attempts, Dispatches, FirstAttempts, PublicEvents, Sender, Slots, WatchedAttempts];

@Module({
  imports: [CqrsModule],
  controllers: [EndpointsController, DeliveriesController, EventTypesController],
  providers: [EndpointPlaceSteps, ...commands, ...queries, ...processes, ...sending],
})
export class WebhooksModule {
  constructor(
    registry: Registry,
    publishEvents: PublishEvents,
    planChains: PlanChains,
    startChains: StartChains,
    deliverAttempts: DeliverAttempts,
    dropRetries: DropRetries,
    destroySecrets: DestroySecrets,
    endLostAttempts: EndLostAttempts,
  ) {
    registry.add({
      projections: [endpoints, endpointActivity, deliveries],
      reactors: [publishEvents, planChains, startChains, dropRetries, destroySecrets, endLostAttempts],
      jobs: deliverAttempts.handlers,
    });
  }
}
