import { Progress, type Context } from '../../kernel/context.js';
import type { Mode, Recorded } from '../../kernel/event.js';
import { uuidV5 } from '../../kernel/ids.js';
import type { Job, NewJob } from '../../kernel/jobs.js';
import type { KnownChain } from '../domain/chain.js';

/** First attempts have a queue of their own: no number of late retries delays them. */
export const FIRST_ATTEMPTS = 'deliveries';
export const RETRIES = 'delivery-retries';
/** Looks after replays and tests whose process is gone. */
export const LEASES = 'delivery-leases';

/** For whom a job runs, and why. */
export interface OnBehalf {
  readonly businessId: string;
  readonly mode: Mode;
  readonly correlationId: string;
  readonly causationId: string;
}

/** What a job of a chain knows: enough to find a slot before anything is read. */
interface ChainJobData extends OnBehalf {
  readonly chainId: string;
  readonly endpointId: string;
}

export type NewChainJob = NewJob & { readonly data: ChainJobData };
export type ChainJob = Job & { readonly data: ChainJobData };

/** The automatic attempt that follows `attempts` others. There is one such job a chain at a time. */
export function attemptJob(attempts: number, due: string, data: ChainJobData): NewChainJob {
  return { key: `attempt:${data.chainId}:${attempts + 1}`, queue: attempts === 0 ? FIRST_ATTEMPTS : RETRIES, due, data };
}

const IN_BACKLOG = ':backlog';
const ALONE = ':alone';

/** The same attempt in the backlog of its endpoint. */
export function inBacklog({ key, due, data }: NewChainJob, queue: string): NewChainJob {
  return { key: `${key}${IN_BACKLOG}`, queue, due, data };
}

/** The same attempt after a fault in the backlog: out of it, and never to go back. */
export function outOfBacklog({ key, due, data }: NewChainJob, queue: string): NewChainJob {
  return { key: key.replace(IN_BACKLOG, ALONE), queue, due, data };
}

/** The keys under which the attempt may wait: by itself, in a backlog, or out of it after a fault. */
export function jobsOf({ key }: NewChainJob): readonly string[] {
  return [key, `${key}${IN_BACKLOG}`, `${key}${ALONE}`];
}

export function isAlone({ key }: NewChainJob): boolean {
  return key.endsWith(ALONE);
}

/** Whether the job, in the backlog or not, is for the attempt of this one. */
export function isSameAttempt({ key }: NewChainJob, own: NewChainJob): boolean {
  return key === own.key || key.startsWith(`${own.key}:`);
}

/** The same for a chain as it stands: the attempt that is open, or the one that comes next. `cause`: the planning of the chain. */
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

/** Each run of a job is a command of its own. */
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
