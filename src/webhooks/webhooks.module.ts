import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Registry } from '../engine/registry.js';
import { EventDescriptions } from '../http/openapi/event-descriptions.js';
import { IdentityModule } from '../identity/identity.module.js';
import { PUBLIC_EVENTS } from '../public-events.js';
import { endpointHandlers } from './commands/endpoint.commands.js';
import { EndpointQuotaSteps } from './commands/endpoint-quota.steps.js';
import { ReplayDeliveryHandler } from './commands/replay.commands.js';
import { replayJobHandlers } from './commands/replay-job.commands.js';
import { ReplayLockSteps } from './commands/replay-lock.steps.js';
import { RotateSecretHandler } from './commands/secret-rotation.commands.js';
import { SendTestEventHandler } from './commands/test-event.commands.js';
import { AddressPolicy } from './delivery/address-policy.js';
import { Admission } from './delivery/admission.js';
import { AttemptRunner } from './delivery/attempt-runner.js';
import { Attempts } from './delivery/attempts.js';
import { AutomaticAttempts } from './delivery/automatic-attempts.js';
import { Backlogs } from './delivery/backlogs.js';
import { Captures } from './delivery/captures.js';
import { CircuitBreakers } from './delivery/circuit-breakers.js';
import { DispatcherLease } from './delivery/dispatcher-lease.js';
import { EndpointLimiter } from './delivery/endpoint-limiter.js';
import { FirstAttempts } from './delivery/first-attempts.js';
import { HostLimiter } from './delivery/host-limiter.js';
import { NameResolver } from './delivery/name-resolver.js';
import { PublicEventCache } from './delivery/public-event-cache.js';
import { ReplaySteps } from './delivery/replay-steps.js';
import { ReplayThrottle } from './delivery/replay-throttle.js';
import { Sender } from './delivery/sender.js';
import { SynchronousAttempts } from './delivery/synchronous-attempts.js';
import { webhooksDeciders } from './domain/deciders.js';
import { webhooksUpcasters } from './domain/upcasters.js';
import { DeliveriesController } from './http/deliveries.controller.js';
import { EndpointsController } from './http/endpoints.controller.js';
import { EventStreamController } from './http/event-stream.controller.js';
import { EventTypesController } from './http/event-types.controller.js';
import { PublicEventsController } from './http/public-events.controller.js';
import { ReplayJobsController } from './http/replay-jobs.controller.js';
import { DeliverAttempts } from './processes/deliver-attempts.js';
import { DestroySecrets } from './processes/destroy-secrets.js';
import { DropCaptures } from './processes/drop-captures.js';
import { DropRetries } from './processes/drop-retries.js';
import { EndLostAttempts } from './processes/end-lost-attempts.js';
import { EnsureFirstAttempts } from './processes/ensure-first-attempts.js';
import { MonitorEndpointHealth } from './processes/monitor-endpoint-health.js';
import { PlanDeliveryChains } from './processes/plan-delivery-chains.js';
import { PublishEvents } from './processes/publish-events.js';
import { ReplayErrors } from './processes/replay-errors.js';
import { RunReplayBatches } from './processes/run-replay-batches.js';
import { RunReplayJobs } from './processes/run-replay-jobs.js';
import { WorkOnBacklogs } from './processes/work-on-backlogs.js';
import { deliveries } from './projections/deliveries.js';
import { endpointHealth } from './projections/endpoint-health.js';
import { endpointStats } from './projections/endpoint-stats.js';
import { endpoints } from './projections/endpoints.js';
import { publicEvents } from './projections/public-events.js';
import { replayJobs } from './projections/replay-jobs.js';
import { undeliveredChains } from './projections/undelivered-chains.js';
import { waitingChains } from './projections/waiting-chains.js';
import { captureQueryHandlers } from './queries/capture.queries.js';
import { RetrieveAttemptsHandler } from './queries/delivery-chain.queries.js';
import { endpointQueryHandlers } from './queries/endpoint.queries.js';
import { EndpointHours } from './queries/endpoint-hours.js';
import { RetrieveEndpointStatsHandler } from './queries/endpoint-stats.queries.js';
import { RetrieveHourlyStatsHandler } from './queries/hourly-stats.queries.js';
import { publicEventQueryHandlers } from './queries/public-event.queries.js';
import { ReplaySelection } from './queries/replay-selection.queries.js';
import { EventMessages } from './streaming/event-messages.js';
import { EventStreams } from './streaming/event-streams.js';
import { PublicEventFeed } from './streaming/public-event-feed.js';

const commands = [
  ...endpointHandlers,
  RotateSecretHandler,
  SendTestEventHandler,
  ReplayDeliveryHandler,
  ...replayJobHandlers,
];
const queries = [
  ...endpointQueryHandlers,
  EndpointHours,
  RetrieveEndpointStatsHandler,
  RetrieveHourlyStatsHandler,
  RetrieveAttemptsHandler,
  ...captureQueryHandlers,
  ...publicEventQueryHandlers,
];
const processes = [
  PublishEvents,
  PlanDeliveryChains,
  EnsureFirstAttempts,
  DeliverAttempts,
  DropRetries,
  DropCaptures,
  DestroySecrets,
  EndLostAttempts,
  MonitorEndpointHealth,
  RunReplayJobs,
  RunReplayBatches,
  WorkOnBacklogs,
];
const delivery = [
  AddressPolicy,
  Admission,
  AttemptRunner,
  Attempts,
  AutomaticAttempts,
  Backlogs,
  CircuitBreakers,
  Captures,
  DispatcherLease,
  FirstAttempts,
  NameResolver,
  PublicEventCache,
  ReplaySteps,
  ReplayThrottle,
  Sender,
  EndpointLimiter,
  HostLimiter,
  SynchronousAttempts,
];
const descriptions: EventDescriptions = {
  list: () => PUBLIC_EVENTS.flatMap((event) => (event.schema === undefined ? [] : [{ ...event, data: event.schema }])),
};
const streaming = [EventMessages, EventStreams, PublicEventFeed];
const steps = [EndpointQuotaSteps, ReplayLockSteps, ReplaySelection, ReplayErrors];

@Module({
  imports: [CqrsModule, IdentityModule],
  controllers: [
    EndpointsController,
    DeliveriesController,
    EventStreamController,
    PublicEventsController,
    EventTypesController,
    ReplayJobsController,
  ],
  providers: [
    ...steps,
    ...commands,
    ...queries,
    ...processes,
    ...delivery,
    ...streaming,
    { provide: EventDescriptions, useValue: descriptions },
  ],
})
export class WebhooksModule {
  constructor(
    registry: Registry,
    publishEvents: PublishEvents,
    planDeliveryChains: PlanDeliveryChains,
    ensureFirstAttempts: EnsureFirstAttempts,
    deliverAttempts: DeliverAttempts,
    dropRetries: DropRetries,
    destroySecrets: DestroySecrets,
    endLostAttempts: EndLostAttempts,
    dropCaptures: DropCaptures,
    monitorEndpointHealth: MonitorEndpointHealth,
    runReplayJobs: RunReplayJobs,
    runReplayBatches: RunReplayBatches,
    workOnBacklogs: WorkOnBacklogs,
  ) {
    registry.add({
      deciders: webhooksDeciders,
      upcasters: webhooksUpcasters,
      projections: [
        endpoints,
        endpointHealth,
        endpointStats,
        deliveries,
        waitingChains,
        publicEvents,
        undeliveredChains,
        replayJobs,
      ],
      reactors: [
        publishEvents,
        planDeliveryChains,
        ensureFirstAttempts,
        dropRetries,
        destroySecrets,
        endLostAttempts,
        monitorEndpointHealth,
        runReplayJobs,
      ],
      jobs: [
        ...deliverAttempts.handlers,
        ...workOnBacklogs.handlers,
        dropCaptures.handler,
        runReplayJobs.handler,
        runReplayBatches.handler,
      ],
    });
  }
}
