import { type Command, Option } from 'commander';
import { JOB_STATUSES, type Jobs, type JobStatus } from '../../kernel/jobs.js';
import type { JobDocument, JobOperator } from '../operators/job-operator.js';
import { type OutputOptions, print, printList, printToStderr, withStores } from './cli.js';
import { defineCommand, defineGroup, defineLimitOption } from './command-builder.js';
import { formatFields, formatJson, formatTable } from './format.js';

const DEFAULT_LIMIT = 100;

interface ListOptions extends OutputOptions {
  readonly queue?: string;
  readonly status?: JobStatus;
  readonly limit: number;
}

export function defineJobsCommand(): Command {
  return defineGroup(
    'jobs',
    'list, show, retry and cancel scheduled work, such as delivery attempts',
    'jobs list --status parked',
    [
      defineCommand('list', 'list jobs, the earliest due time first', 'jobs list --queue deliveries --status parked')
        .option('--queue <queue>', 'only jobs of this queue')
        .addOption(new Option('--status <status>', 'only jobs in this status').choices(JOB_STATUSES))
        .addOption(defineLimitOption('maximum number of jobs', DEFAULT_LIMIT))
        .action(listJobs),
      defineSingleJobCommand('show', 'show one job with its data and last error', showJob),
      defineSingleJobCommand('retry', 'run a waiting or parked job now and reset its failures', retryJob),
      defineSingleJobCommand('cancel', 'delete a job', cancelJob),
    ],
  );
}

function defineSingleJobCommand(
  name: string,
  description: string,
  action: (key: string, printing: OutputOptions) => Promise<void>,
): Command {
  return defineCommand(name, description, `jobs ${name} checkout:ord_01h00000000000000000000000`)
    .argument('<key>', 'key of the job')
    .action(action);
}

async function listJobs({ queue, status, limit, json }: ListOptions): Promise<void> {
  await withJobs(async (operator, jobs) => {
    const found = await operator.list({
      ...(queue !== undefined && { queue }),
      ...(status !== undefined && { status }),
      limit,
    });
    const none = queue === undefined ? 'there is no job' : await describeOtherQueues(queue, jobs);
    printList({ jobs: found }, { json }, formatJobs(found), none);
    if (found.length === limit) printToStderr(`only the first ${limit} are shown; --limit shows more`);
  });
}

async function showJob(key: string, { json }: OutputOptions): Promise<void> {
  const job = await withJobs((operator) => operator.get(key));
  const { data, ...rest } = job;
  print({ job }, { json }, [...formatFields(rest), ...formatJson(data).split('\n')]);
}

async function retryJob(key: string, { json }: OutputOptions): Promise<void> {
  const job = await withJobs((operator) => operator.retry(key));
  print({ job }, { json }, [`${key} is due`]);
}

async function cancelJob(key: string, { json }: OutputOptions): Promise<void> {
  const job = await withJobs((operator) => operator.cancel(key));
  print({ job }, { json }, [`${key} is cancelled`]);
}

async function withJobs<T>(work: (operator: JobOperator, jobs: Jobs) => Promise<T>): Promise<T> {
  const [{ JobOperator }, { SystemClock }] = await Promise.all([
    import('../operators/job-operator.js'),
    import('../../kernel/clock.js'),
  ]);
  return withStores(({ jobs }) => work(new JobOperator(jobs, new SystemClock()), jobs));
}

async function describeOtherQueues(queue: string, jobs: Jobs): Promise<string> {
  const others = (await jobs.readQueueStats()).map((size) => size.queue);
  return `no matching job in ${queue}; queues with jobs: ${others.join(', ') || 'none'}`;
}

function formatJobs(jobs: readonly JobDocument[]): string[] {
  const heads = ['key', 'queue', 'status', 'due', 'attempts', 'failures', 'error'];
  return formatTable(
    heads,
    jobs.map(({ key, queue, status, due, attempts, failures, error }) => [
      key,
      queue,
      status,
      due,
      `${attempts}`,
      `${failures}`,
      error ?? '-',
    ]),
  );
}
