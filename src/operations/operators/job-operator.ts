import { type Clock, toIso } from '../../kernel/clock.js';
import type { JobDetails, Jobs, ListJobsOptions } from '../../kernel/jobs.js';
import { OperatorError } from './operator-error.js';

/** Operator commands for jobs; they work with and without a running service. */
export class JobOperator {
  constructor(
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  async list(options: ListJobsOptions) {
    return (await this.jobs.list(options)).map(toJobDocument);
  }

  async get(key: string): Promise<JobDocument> {
    return toJobDocument(await this.require(key));
  }

  /** Makes a waiting or parked job due now and resets its failures. */
  async retry(key: string): Promise<JobDocument> {
    await this.require(key);
    if (!(await this.jobs.release(key, toIso(this.clock.now())))) throw await this.toRunningError(key);
    return this.get(key);
  }

  /** Deletes a job that is not running. */
  async cancel(key: string): Promise<JobDocument> {
    const found = await this.get(key);
    if (!(await this.jobs.cancel(key))) throw await this.toRunningError(key);
    return found;
  }

  private async require(key: string): Promise<JobDetails> {
    const job = await this.jobs.find(key);
    if (job === null)
      throw new OperatorError('not_found', `there is no job ${key}; "jobs list" shows the existing ones`);
    return job;
  }

  private async toRunningError(key: string): Promise<OperatorError> {
    const { holder, lease } = await this.require(key);
    const end = `${holder ?? 'a process'} holds its lease until ${lease ?? 'a moment ago'}`;
    return new OperatorError('operation_refused', `${key} is running: ${end}`);
  }
}

export type JobDocument = ReturnType<typeof toJobDocument>;

function toJobDocument({ key, id, queue, status, due, attempt, failures, holder, lease, error, data }: JobDetails) {
  return { key, id, queue, status, due, attempts: attempt, failures, holder, lease_until: lease, error, data };
}
