/** Work with a time. Put once under its key; claimed with a lease; every outcome is fenced by its put and its attempt. */
export interface NewJob {
  /** `renewal:ps_1:2026-01-31:1`. While a job with this key exists, another put is nothing. */
  readonly key: string;
  readonly queue: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly due: string;
  readonly data: object;
}

export interface Job extends NewJob {
  /** Of this put: the same key put again, after its job has ended, is another job. */
  readonly id: string;
  /** How often it has been claimed, this time included. An outcome told under an older attempt is ignored. */
  readonly attempt: number;
  /** How often in a row it has failed. */
  readonly failures: number;
}

/** A job without what only its store knows of it: which put it was, and who runs it. */
export interface KeptJob extends NewJob {
  readonly attempt: number;
  readonly failures: number;
  readonly error: string | null;
  readonly parked: boolean;
}

export type JobStatus = 'waiting' | 'running' | 'parked';

/** A job as an operator sees it. */
export interface JobEntry extends Job {
  readonly status: JobStatus;
  /** Who runs it, and until when the lease lasts; null while nobody does. */
  readonly holder: string | null;
  readonly lease: string | null;
  /** What it last failed with, or why it waits. */
  readonly error: string | null;
}

export interface ListJobs {
  readonly queue?: string;
  readonly status?: JobStatus;
  /** Only what lies behind this place in the order. */
  readonly after?: { readonly due: string; readonly key: string };
  readonly limit: number;
}

/** How much lies in a queue. A store may count each number only up to some thousands. */
export interface QueueSize {
  readonly queue: string;
  readonly waiting: number;
  /** Of those that wait: how many are due. */
  readonly due: number;
  readonly running: number;
  readonly parked: number;
  /** Of those that wait: the earliest time, or null. */
  readonly oldestDue: string | null;
}

export interface ClaimOptions {
  readonly limit: number;
  readonly leaseMs: number;
  /** Who claims; on the embedded store a holder whose process is gone loses its leases at once. */
  readonly holder: string;
}

export abstract class Jobs {
  /** Durable before it resolves. */
  abstract put(jobs: readonly NewJob[]): Promise<void>;
  /** Jobs of the queue that are due and not leased, oldest due first. */
  abstract claim(queue: string, options: ClaimOptions): Promise<Job[]>;
  /** Keeps the lease of a long run. False: it is no longer ours. */
  abstract extend(job: Job, leaseMs: number): Promise<boolean>;
  /** Ends the job. False: it is no longer ours. */
  abstract done(job: Job): Promise<boolean>;
  /** It failed, and is due again then. */
  abstract retry(job: Job, due: string, error: string): Promise<boolean>;
  /** It did not fail, and is due again then: its failures are forgotten. */
  abstract again(job: Job, due: string, why: string): Promise<boolean>;
  /** It failed once more, and is set aside for an operator. */
  abstract park(job: Job, error: string): Promise<boolean>;
  /** The earliest time at which something of the queue can be claimed (a lease's end counts), or null. */
  abstract nextDue(queue: string): Promise<string | null>;
  /** Oldest due first, then by key. */
  abstract list(options: ListJobs): Promise<JobEntry[]>;
  abstract find(key: string): Promise<JobEntry | null>;
  /** Makes a job that nobody runs due at `due`, parked or not, its failures forgotten. False when there is none such. */
  abstract release(key: string, due: string): Promise<boolean>;
  /** Takes away a job that nobody runs. False when there is none such. */
  abstract cancel(key: string): Promise<boolean>;
  abstract sizes(): Promise<QueueSize[]>;
  /** Keeps jobs as they were in another store, with their attempts and failures, run by nobody. A key that is taken stays as it is. */
  abstract restore(jobs: readonly KeptJob[]): Promise<void>;
  /**
   * Called after a put in this process, and soon after one in another; the returned function ends it. The listener gets the queues that
   * have something new, where the store knows.
   */
  abstract onPut(listener: (queues?: readonly string[]) => void): () => void;
}
