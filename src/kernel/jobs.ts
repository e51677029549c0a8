/** Work with a time. Put once under its key; claimed with a lease; every outcome is fenced by the attempt that it belongs to. */
export interface NewJob {
  /** `renewal:ps_1:2026-01-31:1`. While a job with this key exists, another put is nothing. */
  readonly key: string;
  readonly queue: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly due: string;
  readonly data: object;
}

export interface Job extends NewJob {
  /** How often it has been claimed, this time included. An outcome told under an older attempt is ignored. */
  readonly attempt: number;
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
  abstract retry(job: Job, due: string, error: string): Promise<boolean>;
  /** Sets it aside for an operator. */
  abstract park(job: Job, error: string): Promise<boolean>;
  /** The earliest time at which something of the queue can be claimed (a lease's end counts), or null. */
  abstract nextDue(queue: string): Promise<string | null>;
  /** Called after a put in this process, and soon after one in another; the returned function ends it. */
  abstract onPut(listener: () => void): () => void;
}
