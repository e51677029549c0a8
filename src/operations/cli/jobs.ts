import { type Command, Option } from 'commander';
import type { JobDetails, Jobs, JobStatus } from '../../kernel/jobs.js';
import { CliError, type OutputOptions, print, printToStderr, withStores } from './cli.js';
import { defineCommand, defineGroup, defineLimitOption } from './command-builder.js';
import { formatFields, formatJson, formatTable } from './format.js';

const DEFAULT_LIMIT = 100;
const STATUSES: readonly JobStatus[] = ['waiting', 'running', 'parked'];

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
        .addOption(new Option('--status <status>', 'only jobs in this status').choices(STATUSES))
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
  await withStores(async ({ jobs }) => {
    const found = await jobs.list({
      ...(queue !== undefined && { queue }),
      ...(status !== undefined && { status }),
      limit,
    });
    print({ jobs: found.map(toDocument) }, { json }, formatJobs(found));
    if (found.length === 0 && queue !== undefined) printToStderr(await describeOtherQueues(queue, jobs));
    if (found.length === limit) printToStderr(`only the first ${limit} are shown; --limit shows more`);
  });
}

async function showJob(key: string, { json }: OutputOptions): Promise<void> {
  const job = await withStores(({ jobs }) => requireJob(jobs, key));
  const { data, ...rest } = toDocument(job);
  print({ job: toDocument(job) }, { json }, [...formatFields(rest), formatJson(data)]);
}

async function retryJob(key: string, { json }: OutputOptions): Promise<void> {
  const job = await withStores(async ({ jobs }) => {
    await requireJob(jobs, key);
    if (!(await jobs.release(key, new Date().toISOString()))) throw await toRunningError(jobs, key);
    return requireJob(jobs, key);
  });
  print({ job: toDocument(job) }, { json }, [`${key} is due`]);
}

async function cancelJob(key: string, { json }: OutputOptions): Promise<void> {
  const job = await withStores(async ({ jobs }) => {
    const found = await requireJob(jobs, key);
    if (!(await jobs.cancel(key))) throw await toRunningError(jobs, key);
    return found;
  });
  print({ job: toDocument(job) }, { json }, [`${key} is cancelled`]);
}

async function requireJob(jobs: Jobs, key: string): Promise<JobDetails> {
  const job = await jobs.find(key);
  if (job === null) throw new CliError(`there is no job ${key}; "jobs list" shows the existing ones`);
  return job;
}

async function toRunningError(jobs: Jobs, key: string): Promise<CliError> {
  const { holder, lease } = await requireJob(jobs, key);
  return new CliError(`${key} is running: ${holder ?? 'a process'} holds its lease until ${lease ?? 'a moment ago'}`);
}

async function describeOtherQueues(queue: string, jobs: Jobs): Promise<string> {
  const others = (await jobs.readQueueStats()).map((size) => size.queue);
  return `no matching job in ${queue}; queues with jobs: ${others.join(', ') || 'none'}`;
}

function toDocument({ key, id, queue, status, due, attempt, failures, holder, lease, error, data }: JobDetails) {
  return { key, id, queue, status, due, attempts: attempt, failures, holder, lease_until: lease, error, data };
}

function formatJobs(jobs: readonly JobDetails[]): string[] {
  const heads = ['key', 'queue', 'status', 'due', 'attempts', 'failures', 'error'];
  return formatTable(
    heads,
    jobs.map(({ key, queue, status, due, attempt, failures, error }) => [
      key,
      queue,
      status,
      due,
      `${attempt}`,
      `${failures}`,
      error ?? '-',
    ]),
  );
}
