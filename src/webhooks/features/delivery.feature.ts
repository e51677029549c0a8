import type { Abstract, FactoryProvider } from '@nestjs/common';
import { Config } from '../../config/config.js';
import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { Clock } from '../../kernel/clock.js';
import { ReplayDeliveryHandler } from '../commands/replay.commands.js';
import { AddressPolicy } from '../delivery/address-policy.js';
import { Admission } from '../delivery/admission.js';
import { AttemptRunner } from '../delivery/attempt-runner.js';
import { Attempts } from '../delivery/attempts.js';
import { AutomaticAttempts } from '../delivery/automatic-attempts.js';
import { Backlogs } from '../delivery/backlogs.js';
import { Captures } from '../delivery/captures.js';
import { CircuitBreakers } from '../delivery/circuit-breakers.js';
import { Destinations } from '../delivery/destinations.js';
import { DispatcherLease } from '../delivery/dispatcher-lease.js';
import { EndpointLeases } from '../delivery/endpoint-leases.js';
import { EndpointLimiter } from '../delivery/endpoint-limiter.js';
import { FirstAttempts } from '../delivery/first-attempts.js';
import { HostLimiter } from '../delivery/host-limiter.js';
import { NameResolver, NameResolverOverride } from '../delivery/name-resolver.js';
import { Sender, SenderOverride } from '../delivery/sender.js';
import { Senders } from '../delivery/senders.js';
import { SynchronousAttempts } from '../delivery/synchronous-attempts.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import { DeliveriesController } from '../http/deliveries.controller.js';
import { DeliverAttempts } from '../processes/deliver-attempts.js';
import { DropCaptures } from '../processes/drop-captures.js';
import { DropRetries } from '../processes/drop-retries.js';
import { EndLostAttempts } from '../processes/end-lost-attempts.js';
import { EnsureFirstAttempts } from '../processes/ensure-first-attempts.js';
import { PlanDeliveryChains } from '../processes/plan-delivery-chains.js';
import { ResumeBacklogs } from '../processes/resume-backlogs.js';
import { WorkOnBacklogs } from '../processes/work-on-backlogs.js';
import { deliveries } from '../projections/deliveries.js';
import { undeliveredChains } from '../projections/undelivered-chains.js';
import { waitingChains } from '../projections/waiting-chains.js';
import { captureQueryHandlers } from '../queries/capture.queries.js';
import { RetrieveAttemptsHandler } from '../queries/delivery-chain.queries.js';
import { WaitingAttempts } from '../queries/waiting-attempts.js';
import { publicEvent } from './public-event.feature.js';
import { replayJob } from './replay-job.feature.js';

const ofPublicEvent = nameByKey(publicEvent, 'eventId');
const ofReplayJob = nameByKey(replayJob, 'replayJobId');

/** Provides a class, or its override where a program has one. */
function overridable<T>(provided: new (config: Config, clock: Clock) => T, override: Abstract<T>): FactoryProvider<T> {
  return {
    provide: provided,
    useFactory: (config: Config, clock: Clock, other?: T) => other ?? new provided(config, clock),
    inject: [Config, Clock, { token: override, optional: true }],
  };
}

/** The deliveries of public events to endpoints, their attempts, and what sends them. */
export const deliveryFeature: Feature = {
  streams: [
    auditStream(deliveryChainDecider, nameByKey(createAuditedResource('webhook_delivery', deliveries), 'deliveryId'), {
      DeliveryChainPlanned: ofPublicEvent,
      DeliveryChainMissed: ofPublicEvent,
      DeliveryChainHeld: ofReplayJob,
      DeliveryChainSkipped: ofReplayJob,
      DeliveryChainReleased: ofReplayJob,
    }),
  ],
  projections: [deliveries, waitingChains, undeliveredChains],
  controllers: [DeliveriesController],
  providers: [
    AddressPolicy,
    Admission,
    AttemptRunner,
    Attempts,
    AutomaticAttempts,
    Backlogs,
    CircuitBreakers,
    Captures,
    Destinations,
    DispatcherLease,
    EndpointLeases,
    EndpointLimiter,
    FirstAttempts,
    HostLimiter,
    overridable(NameResolver, NameResolverOverride),
    overridable(Sender, SenderOverride),
    Senders,
    SynchronousAttempts,
    WaitingAttempts,
    ReplayDeliveryHandler,
    RetrieveAttemptsHandler,
    ...captureQueryHandlers,
  ],
  reactors: [PlanDeliveryChains, EnsureFirstAttempts, DropRetries, EndLostAttempts, ResumeBacklogs],
  jobs: [DeliverAttempts, DropCaptures, WorkOnBacklogs],
};
