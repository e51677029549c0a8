import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { replayJobHandlers } from '../commands/replay-job.commands.js';
import { ReplayLockSteps } from '../commands/replay-lock.steps.js';
import { ReplaySteps } from '../delivery/replay-steps.js';
import { ReplayThrottle } from '../delivery/replay-throttle.js';
import { replayBatchDecider } from '../domain/replay-batch.js';
import { replayJobDecider } from '../domain/replay-job.js';
import { replayLockDecider } from '../domain/replay-lock.js';
import { ReplayJobsController } from '../http/replay-jobs.controller.js';
import { BackfillPlanner } from '../processes/backfill-planner.js';
import { ReplayErrors } from '../processes/replay-errors.js';
import { RunBackfills } from '../processes/run-backfills.js';
import { RunReplayBatches } from '../processes/run-replay-batches.js';
import { RunReplayJobs } from '../processes/run-replay-jobs.js';
import { replayJobs } from '../projections/replay-jobs.js';
import { NeverPlannedEvents } from '../queries/never-planned.queries.js';
import { ReplaySelection } from '../queries/replay-selection.queries.js';

/** Deliveries determine these fields. */
const COUNTS = ['matched', 'redelivered', 'succeeded', 'failed', 'skipped', 'skipped_reasons'];
export const replayJob = createAuditedResource('replay_job', replayJobs, COUNTS);
const ofJob = nameByKey(replayJob, 'replayJobId');

/** Jobs that deliver many past events again. */
export const replayJobFeature: Feature = {
  streams: [
    auditStream(replayJobDecider, replayJob),
    auditStream(replayBatchDecider, ofJob),
    auditStream(replayLockDecider, ofJob),
  ],
  projections: [replayJobs],
  controllers: [ReplayJobsController],
  providers: [
    BackfillPlanner,
    NeverPlannedEvents,
    ReplayErrors,
    ReplayLockSteps,
    ReplaySelection,
    ReplaySteps,
    ReplayThrottle,
    ...replayJobHandlers,
  ],
  reactors: [RunReplayJobs],
  jobs: [RunReplayJobs, RunReplayBatches, RunBackfills],
};
