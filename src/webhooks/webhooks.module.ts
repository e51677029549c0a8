import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Registry } from '../engine/registry.js';
import { EventSchemasModule } from './event-schemas.module.js';
import { CreateEndpointHandler, DeleteEndpointHandler, EditEndpointHandler } from './commands/endpoint.commands.js';
import { EndpointPlaceSteps } from './commands/endpoint-place.steps.js';
import { CancelReplayJobHandler, ForecastReplayJobHandler, RequestReplayJobHandler } from './commands/replay-job.commands.js';
import { ReplayPlaceSteps } from './commands/replay-place.steps.js';
import { ReplayDeliveryHandler } from './commands/replay.commands.js';
import { RotateSecretHandler } from './commands/rotation.commands.js';
import { SendTestEventHandler } from './commands/test-event.commands.js';
import { webhooksDeciders } from './domain/deciders.js';
import { webhooksUpcasters } from './domain/upcasters.js';
import { DeliveriesController } from './http/deliveries.controller.js';
import { EndpointsController } from './http/endpoints.controller.js';
import { EventTypesController } from './http/event-types.controller.js';
import { PublicEventsController } from './http/public-events.controller.js';
import { ReplayJobsController } from './http/replay-jobs.controller.js';
import { DeliverAttempts } from './processes/deliver-attempts.js';
import { DestroySecrets } from './processes/destroy-secrets.js';
import { DropCaptures } from './processes/drop-captures.js';
import { DropRetries } from './processes/drop-retries.js';
import { EndLostAttempts } from './processes/end-lost-attempts.js';
import { JudgeEndpoints } from './processes/judge-endpoints.js';
import { PlanChains } from './processes/plan-chains.js';
import { PublishEvents } from './processes/publish-events.js';
import { RedeliverLanes } from './processes/redeliver-lanes.js';
import { ReplayFaults } from './processes/replay-faults.js';
import { RunReplayJobs } from './processes/run-replay-jobs.js';
import { StartChains } from './processes/start-chains.js';
import { WorkOnBacklogs } from './processes/work-on-backlogs.js';
import { RetrieveRequestHandler, RetrieveResponseHandler } from './projections/capture.queries.js';
import { RetrieveAttemptsHandler } from './projections/chain.queries.js';
import { chains } from './projections/chains.js';
import { deliveries } from './projections/deliveries.js';
import { endpointActivity } from './projections/endpoint-activity.js';
import { endpointStats } from './projections/endpoint-stats.js';
import { endpoints } from './projections/endpoints.js';
import { ListPublicEventsHandler, RetrievePublicEventHandler } from './projections/public-event.queries.js';
import { publicEvents } from './projections/public-events.js';
import { ListDeliveriesHandler, ListEndpointsHandler, RetrieveEndpointHandler } from './projections/queries.js';
import { ListReplayJobsHandler } from './projections/replay-job-queries.js';
import { replayJobs } from './projections/replay-jobs.js';
import { ReplaySelection } from './projections/replay-selection.js';
import { RetrieveEndpointStatsHandler } from './projections/stats.query.js';
import { waitingChains } from './projections/waiting-chains.js';
import { Addresses } from './sending/addresses.js';
import { Attempts } from './sending/attempts.js';
import { AutomaticAttempts } from './sending/automatic-attempts.js';
import { Backlogs } from './sending/backlogs.js';
import { Breakers } from './sending/breakers.js';
import { Captures } from './sending/captures.js';
import { Dispatches } from './sending/dispatches.js';
import { FirstAttempts } from './sending/first-attempts.js';
import { Names } from './sending/names.js';
import { PublicEvents } from './sending/public-events.js';
import { Redeliveries } from './sending/redeliveries.js';
import { ReplayPace } from './sending/replay-pace.js';
import { Sender } from './sending/sender.js';
import { Slots } from './sending/slots.js';
import { TargetHosts } from './sending/target-hosts.js';
import { WatchedAttempts } from './sending/watched-attempts.js';

const commands = [
  CreateEndpointHandler,
  EditEndpointHandler,
  DeleteEndpointHandler,
  RotateSecretHandler,
  SendTestEventHandler,
  ReplayDeliveryHandler,
  RequestReplayJobHandler,
  ForecastReplayJobHandler,
  CancelReplayJobHandler,
];
const queries = [
  RetrieveEndpointHandler,
  RetrieveEndpointStatsHandler,
  ListEndpointsHandler,
  ListDeliveriesHandler,
  RetrieveAttemptsHandler,
  RetrieveRequestHandler,
  RetrieveResponseHandler,
  RetrievePublicEventHandler,
  ListPublicEventsHandler,
  ListReplayJobsHandler,
];
const processes = [
  PublishEvents,
  PlanChains,
  StartChains,
  DeliverAttempts,
  DropRetries,
  DropCaptures,
  DestroySecrets,
  EndLostAttempts,
  JudgeEndpoints,
  RunReplayJobs,
  RedeliverLanes,
  WorkOnBacklogs,
];
const sending = [
  Addresses,
  Attempts,
  AutomaticAttempts,
  Backlogs,
  Breakers,
  Captures,
  Dispatches,
  FirstAttempts,
  Names,
  PublicEvents,
  Redeliveries,
  ReplayPace,
  Sender,
  Slots,
  TargetHosts,
  WatchedAttempts,
];
const steps = [EndpointPlaceSteps, ReplayPlaceSteps, ReplaySelection, ReplayFaults];

@Module({
  imports: [CqrsModule, EventSchemasModule],
  controllers: [EndpointsController, DeliveriesController, PublicEventsController, EventTypesController, ReplayJobsController],
  providers: [...steps, ...commands, ...queries, ...processes, ...sending],
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
    dropCaptures: DropCaptures,
    judgeEndpoints: JudgeEndpoints,
    runReplayJobs: RunReplayJobs,
    redeliverLanes: RedeliverLanes,
    workOnBacklogs: WorkOnBacklogs,
  ) {
    registry.add({
      deciders: webhooksDeciders,
      upcasters: webhooksUpcasters,
      projections: [endpoints, endpointActivity, endpointStats, deliveries, waitingChains, publicEvents, chains, replayJobs],
      reactors: [publishEvents, planChains, startChains, dropRetries, destroySecrets, endLostAttempts, judgeEndpoints, runReplayJobs],
      jobs: [...deliverAttempts.handlers, ...workOnBacklogs.handlers, dropCaptures.handler, runReplayJobs.handler, redeliverLanes.handler],
    });
  }
}
