import type { Fact, Mode } from '../../kernel/event.js';
import type { OwnedDecider } from '../../kernel/ownership.js';
import type { Position } from '../../kernel/position.js';
import { Rejection } from '../../kernel/rejection.js';

/** The maximum number of chains in one job. */
export const MAX_MATCHED = 100_000;

/** The results of deliveries without success. */
export const REPLAYABLE_STATUSES = ['failed', 'abandoned'] as const;
export type ReplayableStatus = (typeof REPLAYABLE_STATUSES)[number];

/**
 * The selections of jobs: the chains without a success (`failed`), those with a success (`succeeded`), both (`all`), or
 * the events without a delivery to the endpoint (`never_planned`). These names are stored, so they must never change.
 */
export const REPLAY_SCOPES = ['failed', 'succeeded', 'all', 'never_planned'] as const;
export type ReplayScope = (typeof REPLAY_SCOPES)[number];

/**
 * The filter of a job. It applies to the latest record of a chain. A missed chain has no record, and neither has an event
 * that was never planned: the time of the event counts.
 */
export interface ReplayWindow {
  readonly scope: ReplayScope;
  /** Both ends are inclusive. */
  readonly createdFrom: string;
  readonly createdTo: string;
  /** Null selects every endpoint of the business, but `never_planned` needs one. */
  readonly endpointId: string | null;
  /** An empty list selects every type. */
  readonly eventTypes: readonly string[];
  /** Only for the scope `failed`; empty for the others. */
  readonly statuses: readonly ReplayableStatus[];
  readonly includeMissed: boolean;
}

export type ReplayJobFacts = ReplayWindow & {
  readonly replayJobId: string;
  readonly businessId: string;
  readonly mode: Mode;
};

/** The reasons why a job failed. They are stored and public, and must never change. */
export type ReplayJobError = 'window_too_large' | 'service_failure' | 'endpoint_disabled';

interface ReplayJobReference {
  readonly replayJobId: string;
}

export type ReplayJobEvent =
  /** Version 1 had no `scope`. */
  | Fact<'ReplayJobRequested', ReplayJobFacts>
  /** The job can never be created, because its lock was released before. */
  | Fact<'ReplayJobAbandoned', ReplayJobReference>
  /**
   * The selection at this position is stored in one batch for each of these endpoints. A backfill stores none: it plans
   * the events up to this position.
   */
  | Fact<
      'ReplayJobStarted',
      ReplayJobReference & { matched: number; position: Position; endpointIds: readonly string[] }
    >
  /** Every selected chain is held or skipped. The job may start sending. */
  | Fact<'ReplayJobAllHeld', ReplayJobReference>
  | Fact<'ReplayBatchEnded', ReplayJobReference & { endpointId: string }>
  | Fact<'ReplayJobCompleted', ReplayJobReference>
  | Fact<'ReplayJobFailed', ReplayJobReference & { error: ReplayJobError }>
  | Fact<'ReplayJobCancelRequested', ReplayJobReference>
  | Fact<'ReplayJobCancelled', ReplayJobReference>;

export interface KnownReplayJob {
  readonly status: 'pending' | 'running' | 'cancelling' | 'completed' | 'failed' | 'cancelled';
  readonly facts: ReplayJobFacts;
  /** The endpoints whose batches have not ended. */
  readonly openBatches: ReadonlySet<string>;
  readonly allHeld: boolean;
  /** Where the log ended at the start of the job; null before it. */
  readonly position: Position | null;
}

export type ReplayJob = { readonly status: 'unknown' | 'abandoned' } | KnownReplayJob;

function evolve(job: ReplayJob, event: ReplayJobEvent): ReplayJob {
  if (event.type === 'ReplayJobRequested')
    return { status: 'pending', facts: event.data, openBatches: new Set(), allHeld: false, position: null };
  if (event.type === 'ReplayJobAbandoned') return { status: 'abandoned' };
  if (!isKnown(job)) return job;

  switch (event.type) {
    case 'ReplayJobStarted':
      return {
        ...job,
        status: 'running',
        openBatches: new Set(event.data.endpointIds),
        position: event.data.position,
      };
    case 'ReplayJobAllHeld':
      return { ...job, allHeld: true };
    case 'ReplayBatchEnded':
      return { ...job, openBatches: new Set([...job.openBatches].filter((batch) => batch !== event.data.endpointId)) };
    case 'ReplayJobCompleted':
      return { ...job, status: 'completed' };
    case 'ReplayJobFailed':
      return { ...job, status: 'failed' };
    case 'ReplayJobCancelRequested':
      return { ...job, status: 'cancelling' };
    case 'ReplayJobCancelled':
      return { ...job, status: 'cancelled' };
  }
}

export type ReplayJobCommand =
  | (ReplayJobFacts & { readonly type: 'RequestReplayJob' })
  | { readonly type: 'AbandonReplayJob'; readonly replayJobId: string }
  | {
      readonly type: 'StartReplayJob';
      readonly matched: number;
      readonly position: Position;
      readonly endpointIds: readonly string[];
    }
  | { readonly type: 'StartSending' }
  | { readonly type: 'EndReplayBatch'; readonly endpointId: string }
  | { readonly type: 'FailReplayJob'; readonly error: ReplayJobError }
  | { readonly type: 'CancelReplayJob' };

type Start = Extract<ReplayJobCommand, { type: 'StartReplayJob' }>;

function decide(command: ReplayJobCommand, job: ReplayJob): readonly ReplayJobEvent[] {
  if (command.type === 'RequestReplayJob') return request(command, job);
  if (command.type === 'AbandonReplayJob')
    return job.status === 'unknown' ? [{ type: 'ReplayJobAbandoned', data: { replayJobId: command.replayJobId } }] : [];
  if (!isKnown(job)) throw Rejection.notFound();

  const { replayJobId } = job.facts;
  switch (command.type) {
    case 'StartReplayJob':
      return job.status === 'pending' ? start(command, replayJobId) : [];
    case 'StartSending':
      return job.status === 'running' && !job.allHeld ? [{ type: 'ReplayJobAllHeld', data: { replayJobId } }] : [];
    case 'EndReplayBatch':
      return job.openBatches.has(command.endpointId) ? endBatch(command.endpointId, job) : [];
    case 'FailReplayJob':
      return isReplayJobFinished(job) ? [] : [{ type: 'ReplayJobFailed', data: { replayJobId, error: command.error } }];
    case 'CancelReplayJob':
      return cancel(job);
  }
}

function request(
  { type: _, ...data }: Extract<ReplayJobCommand, { type: 'RequestReplayJob' }>,
  job: ReplayJob,
): readonly ReplayJobEvent[] {
  if (job.status === 'abandoned')
    throw new Rejection('concurrent_update', 'Another request took the lock of this replay job. Try again.');
  return job.status === 'unknown' ? [{ type: 'ReplayJobRequested', data }] : [];
}

function start({ type: _, ...selection }: Start, replayJobId: string): readonly ReplayJobEvent[] {
  if (selection.matched > MAX_MATCHED)
    return [{ type: 'ReplayJobFailed', data: { replayJobId, error: 'window_too_large' } }];
  const started: ReplayJobEvent = { type: 'ReplayJobStarted', data: { replayJobId, ...selection } };
  return selection.endpointIds.length > 0
    ? [started]
    : [started, { type: 'ReplayJobCompleted', data: { replayJobId } }];
}

/** The job ends with its last batch. */
function endBatch(
  endpointId: string,
  { status, openBatches, facts: { replayJobId } }: KnownReplayJob,
): readonly ReplayJobEvent[] {
  const ended: ReplayJobEvent = { type: 'ReplayBatchEnded', data: { replayJobId, endpointId } };
  if (openBatches.size > 1) return [ended];
  if (status === 'running') return [ended, { type: 'ReplayJobCompleted', data: { replayJobId } }];
  return status === 'cancelling' ? [ended, { type: 'ReplayJobCancelled', data: { replayJobId } }] : [ended];
}

/** A job that has not started holds no chains, so it is cancelled at once. */
function cancel(job: KnownReplayJob): readonly ReplayJobEvent[] {
  if (isReplayJobFinished(job)) throw new Rejection('replay_job_finished', `The replay job is ${job.status}.`);
  if (job.status === 'cancelling') return [];
  const { replayJobId } = job.facts;
  const requested: ReplayJobEvent = { type: 'ReplayJobCancelRequested', data: { replayJobId } };
  return job.status === 'running' ? [requested] : [requested, { type: 'ReplayJobCancelled', data: { replayJobId } }];
}

function isKnown(job: ReplayJob): job is KnownReplayJob {
  return job.status !== 'unknown' && job.status !== 'abandoned';
}

/** Returns whether the job can make no further progress. */
export function isReplayJobFinished({ status }: ReplayJob): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled' || status === 'abandoned';
}

export const replayJobDecider: OwnedDecider<ReplayJob, ReplayJobCommand, ReplayJobEvent, KnownReplayJob> = {
  category: 'replayJob',
  versions: {
    ReplayJobRequested: 2,
    ReplayJobAbandoned: 1,
    ReplayJobStarted: 1,
    ReplayJobAllHeld: 1,
    ReplayBatchEnded: 1,
    ReplayJobCompleted: 1,
    ReplayJobFailed: 1,
    ReplayJobCancelRequested: 1,
    ReplayJobCancelled: 1,
  },
  initial: { status: 'unknown' },
  isKnown,
  ownerOf: ({ facts: { businessId: business, mode } }) => ({ business, mode }),
  evolve,
  decide,
};

/** Returns the endpoint of a job that plans events that were never planned; null for any other job. */
export function findBackfilledEndpoint({ scope, endpointId }: ReplayWindow): string | null {
  return scope === 'never_planned' ? endpointId : null;
}

/** Returns whether the job has stopped before its end, so that its waiting first attempts are not made any more. */
export function isReplayJobStopped({ status }: ReplayJob): boolean {
  return status === 'cancelling' || status === 'cancelled' || status === 'failed';
}
