import {
  type AuditedStream,
  auditStream,
  createAuditedResource,
  nameByKey,
  nameByStream,
} from '../kernel/audited-stream.js';
import { deliveryChainDecider } from './domain/delivery-chain/delivery-chain.js';
import { endpointDecider } from './domain/endpoint.js';
import { endpointQuotaDecider } from './domain/endpoint-quota.js';
import { publicEventDecider } from './domain/public-event.js';
import { replayBatchDecider } from './domain/replay-batch.js';
import { replayJobDecider } from './domain/replay-job.js';
import { replayLockDecider } from './domain/replay-lock.js';
import { testEventLimitDecider } from './domain/test-event-limit.js';
import { deliveries } from './projections/deliveries.js';
import { endpoints } from './projections/endpoints.js';
import { publicEvents } from './projections/public-events.js';
import { replayJobs } from './projections/replay-jobs.js';

const JOB_COUNTS = ['redelivered', 'succeeded', 'failed', 'skipped', 'skipped_reasons'];

const endpoint = createAuditedResource('webhook_endpoint', endpoints);
const delivery = createAuditedResource('webhook_delivery', deliveries);
const publicEvent = createAuditedResource('event', publicEvents);
const replayJob = createAuditedResource('replay_job', replayJobs, JOB_COUNTS);

const ofPublicEvent = nameByKey(publicEvent, 'eventId');
const ofReplayJob = nameByKey(replayJob, 'replayJobId');

export const webhooksAuditedStreams: readonly AuditedStream[] = [
  auditStream(endpointDecider, endpoint),
  auditStream(endpointQuotaDecider, nameByKey(endpoint, 'endpointId')),
  auditStream(testEventLimitDecider, nameByStream(endpoint)),
  auditStream(publicEventDecider, publicEvent),
  auditStream(deliveryChainDecider, nameByKey(delivery, 'deliveryId'), {
    DeliveryChainPlanned: ofPublicEvent,
    DeliveryChainMissed: ofPublicEvent,
    DeliveryChainHeld: ofReplayJob,
    DeliveryChainSkipped: ofReplayJob,
    DeliveryChainReleased: ofReplayJob,
  }),
  auditStream(replayJobDecider, replayJob),
  auditStream(replayBatchDecider, ofReplayJob),
  auditStream(replayLockDecider, ofReplayJob),
];
