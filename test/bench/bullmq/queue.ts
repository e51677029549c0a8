export const QUEUE = 'deliveries';

/** What a job of the queue is. */
export interface Delivery {
  readonly url: string;
  readonly body: string;
}

/** As many tries as the service makes, the first of them as soon; all else is as BullMQ has it: stalled jobs are looked for every 30 s. */
export const JOB_OPTIONS = { attempts: 10, backoff: { type: 'exponential', delay: 5_000 } } as const;
