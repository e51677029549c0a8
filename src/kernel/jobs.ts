/**
 * Work that is due at a time. Enqueued once per key and claimed with a lease; its id and attempt fence every outcome.
 */
export interface NewJob<D extends object = object> {
  /** `checkout:ord_1`. While a job with this key exists, enqueuing it again has no effect. */
  readonly key: string;
  readonly queue: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly due: string;
  /** As its queue stores them: see `Queue`. */
  readonly data: D;
}

export interface Job<D extends object = object> extends NewJob<D> {
  /** Identifies this job: a job that is enqueued later under the same key has another id. */
  readonly id: string;
  /** How often it has been claimed, this time included. An outcome reported under an older attempt is ignored. */
  readonly attempt: number;
  readonly failures: number;
}

/** A job without its id and lease, which only its own store knows. */
export interface StoredJob extends NewJob {
  readonly attempt: number;
  readonly failures: number;
  readonly error: string | null;
  readonly parked: boolean;
}

export const JOB_STATUSES = ['waiting', 'running', 'parked'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** A job as an operator sees it. */
export interface JobDetails extends Job {
  readonly status: JobStatus;
  /** The process that runs it, and the end of its lease; null while no process runs it. */
  readonly holder: string | null;
  readonly lease: string | null;
  /** The last error, or the reason why it waits. */
  readonly error: string | null;
}

export interface ListJobsOptions {
  readonly queue?: string;
  readonly status?: JobStatus;
  /** Returns only jobs after this one in the order. */
  readonly after?: { readonly due: string; readonly key: string };
  readonly limit: number;
}

/** The sizes of a queue. A store may stop each count at some thousands. */
export interface QueueStats {
  readonly queue: string;
  readonly waiting: number;
  /** The waiting jobs that are due. */
  readonly due: number;
  readonly running: number;
  readonly parked: number;
  /** The earliest due time of a waiting job, or null. */
  readonly oldestDue: string | null;
}

export interface ClaimOptions {
  readonly limit: number;
  readonly leaseMs: number;
  /** The claiming process; on the embedded store a holder whose process has ended loses its leases at once. */
  readonly holder: string;
}

export abstract class Jobs {
  /** Stores new jobs; they are durable before it resolves. */
  abstract enqueue(jobs: readonly NewJob[]): Promise<void>;
  /** Claims jobs of the queue that are due and not leased, oldest due first. */
  abstract claim(queue: string, options: ClaimOptions): Promise<Job[]>;
  /** Extends the lease of a long run. False: the caller has lost the job. */
  abstract renewLease(job: Job, leaseMs: number): Promise<boolean>;
  /** Deletes the completed job. False: the caller has lost the job. */
  abstract complete(job: Job): Promise<boolean>;
  /** Counts a failure and makes the job due again at `due`. */
  abstract retry(job: Job, due: string, error: string): Promise<boolean>;
  /**
   * Makes the job due again at `due` without a failure, and resets its failures. @param data replaces the data of the job
   */
  abstract reschedule(job: Job, due: string, reason: string, data?: object): Promise<boolean>;
  /** Counts a failure and parks the job for an operator. */
  abstract park(job: Job, error: string): Promise<boolean>;
  /** Returns the earliest time at which a job of the queue can be claimed (the end of a lease counts), or null. */
  abstract findNextDue(queue: string): Promise<string | null>;
  /** Lists jobs, oldest due first, then by key. */
  abstract list(options: ListJobsOptions): Promise<JobDetails[]>;
  abstract find(key: string): Promise<JobDetails | null>;
  /**
   * Makes a job that is not running due at `due`, parked or not, and resets its failures. False when there is no such
   * job.
   */
  abstract release(key: string, due: string): Promise<boolean>;
  /** Deletes a job that is not running. False when there is no such job. */
  abstract cancel(key: string): Promise<boolean>;
  /** Returns the sizes of these queues, or of all. Empty queues are left out. */
  abstract readQueueStats(queues?: readonly string[]): Promise<QueueStats[]>;
  /**
   * Stores the jobs of another store with their attempts and failures and without a lease. An existing key stays
   * unchanged.
   */
  abstract restore(jobs: readonly StoredJob[]): Promise<void>;
  /**
   * Calls the listener after this process enqueues jobs, and soon after another process does. The returned function
   * removes the listener. The listener receives the queues with new jobs, if the store knows them.
   */
  abstract onEnqueued(listener: (queues?: readonly string[]) => void): () => void;
}
