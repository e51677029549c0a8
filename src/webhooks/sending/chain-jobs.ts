import { Progress, type Context } from '../../kernel/context.js';
import type { Mode, Recorded } from '../../kernel/event.js';
import { uuidV5 } from '../../kernel/ids.js';
import type { Job, NewJob } from '../../kernel/jobs.js';
import type { KnownChain } from '../domain/chain.js';

/** First attempts have their own queue, so that late retries never delay them. */
export const FIRST_ATTEMPTS = 'deliveries';
export const RETRIES = 'delivery-retries';
/** The queue of the jobs that end replays and tests whose process died. */
export const LEASES = 'delivery-leases';

/** The owner and the cause of a job. */
export interface OnBehalf {
  readonly businessId: string;
  readonly mode: Mode;
  readonly correlationId: string;
  readonly causationId: string;
}

/** The data of a delivery chain's job: enough to acquire a slot without a read. */
interface ChainJobData extends OnBehalf {
  readonly chainId: string;
  readonly endpointId: string;
}

export type NewChainJob = NewJob & { readonly data: ChainJobData };
export type ChainJob = Job & { readonly data: ChainJobData };

/** Returns the job of the automatic attempt after `attempts` earlier ones. A chain has one such job at a time. */
export function attemptJob(attempts: number, due: string, data: ChainJobData): NewChainJob {
  return { key: `attempt:${data.chainId}:${attempts + 1}`, queue: attempts === 0 ? FIRST_ATTEMPTS : RETRIES, due, data };
}

const IN_BACKLOG = ':backlog';
const ALONE = ':alone';

/** Returns the job of the same attempt in the backlog of its endpoint. */
export function inBacklog({ key, due, data }: NewChainJob, queue: string): NewChainJob {
  return { key: `${key}${IN_BACKLOG}`, queue, due, data };
}

/** Returns the job of the same attempt after it threw in the backlog. It never returns to the backlog. */
export function outOfBacklog({ key, due, data }: NewChainJob, queue: string): NewChainJob {
  return { key: key.replace(IN_BACKLOG, ALONE), queue, due, data };
}

/** Lists the keys under which the attempt may wait: on its own, in a backlog, or isolated after an error. */
export function jobsOf({ key }: NewChainJob): readonly string[] {
  return [key, `${key}${IN_BACKLOG}`, `${key}${ALONE}`];
}

export function isAlone({ key }: NewChainJob): boolean {
  return key.endsWith(ALONE);
}

/** Returns true when both jobs are for the same attempt, in the backlog or not. */
export function isSameAttempt({ key }: NewChainJob, own: NewChainJob): boolean {
  return key === own.key || key.startsWith(`${own.key}:`);
}

/**
 * Returns the job of a chain's open automatic attempt, or of its next one. The second parameter is the chain's first
 * event.
 */
export function automaticJob(chain: KnownChain, { id: causationId, meta: { correlationId } }: Recorded, due: string): NewChainJob {
  const { chainId, endpointId, businessId, mode } = chain.facts;
  const isOpen = chain.status === 'sending' && chain.open.kind === 'automatic';
  return attemptJob(chain.attempts - (isOpen ? 1 : 0), due, { chainId, endpointId, businessId, mode, correlationId, causationId });
}

export function leaseJob(chainId: string, due: string, { commandId, business, mode, correlationId }: Context): NewJob {
  return {
    key: `lease:${chainId}:${commandId}`,
    queue: LEASES,
    due,
    data: { chainId, businessId: business, mode, correlationId, causationId: commandId },
  };
}

/** Gives each run of a job its own command id. */
export function contextOfJob({ key, attempt, due, data }: Job & { readonly data: OnBehalf }, process: string): Context {
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
    progress: new Progress(),
  };
}
