export const QUEUE = 'deliveries';

/** The data of a job. */
export interface Delivery {
  readonly url: string;
  readonly body: string;
}

/**
 * The number of tries and the first delay are those of the service; other settings are BullMQ's defaults, such as a
 * check for stalled jobs every 30 s.
 */
export const JOB_OPTIONS = { attempts: 10, backoff: { type: 'exponential', delay: 5_000 } } as const;
