import { toIso } from '../../kernel/clock.js';
import { ConsistencyContext, type Context } from '../../kernel/context.js';
import type { Mode, RecordedEvent } from '../../kernel/event.js';
import { uuidV5 } from '../../kernel/ids.js';
import type { Job, NewJob } from '../../kernel/jobs.js';
import { declareQueue, type Queue } from '../../kernel/queue.js';
import { isDatedAhead } from '../domain/clock-skew.js';
import type { KnownDeliveryChain } from '../domain/delivery-chain/facts.js';

export type JobCause = Pick<Context, 'correlationId' | 'causationId'>;

export interface JobOrigin extends JobCause {
  readonly businessId: string;
  readonly mode: Mode;
}

export interface ChainJobData extends JobOrigin {
  readonly chainId: string;
}

/** The data of an automatic attempt's job: enough to acquire a slot without a read. */
export interface DeliveryJobData extends ChainJobData {
  readonly endpointId: string;
  /** When the wait for the due time began, by the same clock. Jobs of earlier versions do not have it. */
  readonly since?: string;
  /** For the first attempt of a chain that this replay job planned. */
  readonly replayJobId?: string;
}

export type NewDeliveryJob = NewJob<DeliveryJobData>;
export type DeliveryJob = Job<DeliveryJobData>;
export type DeliveryQueue = Queue<DeliveryJobData>;

/** First attempts have their own queue, so that late retries never delay them. */
export const FIRST_ATTEMPT_QUEUE = declareQueue<DeliveryJobData>({ name: 'deliveries' });
/** The queue of the first attempts that replay jobs have planned. Each endpoint has its own part of it. */
export const BACKFILL_QUEUE = declareQueue<DeliveryJobData>({ name: 'delivery-backfills' });
export const RETRY_QUEUE = declareQueue<DeliveryJobData>({ name: 'delivery-retries' });
/** The queue of the jobs that end replays and tests whose process died. */
export const LEASE_QUEUE = declareQueue<ChainJobData>({ name: 'delivery-leases' });

/** Returns the job of the automatic attempt after `attempts` earlier ones. A chain has one such job at a time. */
export function toAttemptJob(attempts: number, due: string, data: DeliveryJobData): NewDeliveryJob {
  const queue = attempts === 0 ? FIRST_ATTEMPT_QUEUE : RETRY_QUEUE;
  return queue.createJob({ key: `attempt:${data.chainId}:${attempts + 1}`, due, data });
}

/** Longer than the delay of a job that keeps failing. */
const MAX_FIRST_DELAY_MS = 15 * 60_000;

/** The longest times for which the jobs of attempts, and those of backlogs, wait. */
export const MAX_DELAYS = {
  first: computeMaxFirstDelay,
  retry: computeMaxRetryDelay,
  backfill: computeMaxFirstDelay,
} as const;

/** Where the job of an attempt waits: in the shared queue, in a backlog, or in the queue after an error in the backlog. */
type Place = 'shared' | 'backlog' | 'isolated';

/** The keys differ, since an attempt gets its job in the next place before its last one is completed. */
const KEY_ENDINGS: Readonly<Record<Place, string>> = { shared: '', backlog: ':backlog', isolated: ':alone' };
const KEY_ENDING = new RegExp(`(${Object.values(KEY_ENDINGS).join('|')})$`);
const PLACES = Object.keys(KEY_ENDINGS) as readonly Place[];

/** Returns the job of the same attempt in another place. An isolated one never returns to a backlog. */
export function moveTo(place: Place, { key, due, data }: NewDeliveryJob, queue: DeliveryQueue): NewDeliveryJob {
  return queue.createJob({ key: keyAt(place, key), due, data });
}

/** Lists the keys under which the attempt may wait. */
export function listAttemptJobKeys({ key }: NewDeliveryJob): readonly string[] {
  return PLACES.map((place) => keyAt(place, key));
}

export function isIsolated({ key }: NewDeliveryJob): boolean {
  return key === keyAt('isolated', key);
}

/** Returns true when both jobs are for the same attempt, in any places. */
export function isSameAttempt({ key }: NewDeliveryJob, other: NewDeliveryJob): boolean {
  return keyAt('shared', key) === keyAt('shared', other.key);
}

function keyAt(place: Place, key: string): string {
  return `${key.replace(KEY_ENDING, '')}${KEY_ENDINGS[place]}`;
}

export function toJobCause({ id: causationId, meta: { correlationId } }: RecordedEvent): JobCause {
  return { correlationId, causationId };
}

/** Returns the job of a chain's open automatic attempt, or of its next one. */
export function toAutomaticJob(
  chain: KnownDeliveryChain,
  { correlationId, causationId }: JobCause,
  due: string,
): NewDeliveryJob {
  const { chainId, endpointId, businessId, mode, plannedBy: replayJobId } = chain.facts;
  const isOpen = chain.status === 'sending' && chain.open.kind === 'automatic';
  const attempts = chain.attempts - (isOpen ? 1 : 0);
  return toAttemptJob(attempts, due, {
    chainId,
    endpointId,
    businessId,
    mode,
    correlationId,
    causationId,
    ...(chain.status === 'waiting' && { since: chain.since }),
    ...(attempts === 0 && replayJobId !== undefined && { replayJobId }),
  });
}

/** Returns 0 for a job that a clock ahead has dated, since a first attempt is due at once; otherwise no limit. */
function computeMaxFirstDelay({ due }: Job, now: number): number {
  return Date.parse(due) - now > MAX_FIRST_DELAY_MS ? 0 : Infinity;
}

/** Returns the wait that the schedule asked for when a clock that was ahead dated the retry; otherwise no limit. */
function computeMaxRetryDelay({ due, data }: Job, now: number): number {
  const { since } = data as Partial<DeliveryJobData>;
  return since !== undefined && isDatedAhead(since, toIso(now)) ? Date.parse(due) - Date.parse(since) : Infinity;
}

export function toLeaseJob(
  chainId: string,
  due: string,
  { commandId, business, mode, correlationId }: Context,
): NewJob<ChainJobData> {
  const data = { chainId, businessId: business!, mode, correlationId, causationId: commandId };
  return LEASE_QUEUE.createJob({ key: `lease:${chainId}:${commandId}`, due, data });
}

/** Gives each run of a job its own command id. */
export function contextForJob({ key, attempt, due, data }: Job<JobOrigin>, process: string): Context {
  const { businessId, mode, correlationId, causationId } = data;
  return {
    commandId: uuidV5(causationId, key, attempt),
    at: Date.parse(due),
    correlationId,
    causationId,
    actor: { type: 'system', id: process },
    business: businessId,
    mode,
    requestId: null,
    consistency: new ConsistencyContext(),
  };
}
