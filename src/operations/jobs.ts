import { Option, type Command } from 'commander';
import type { JobEntry, Jobs, JobStatus } from '../kernel/jobs.js';
import { fields, readable, table } from './table.js';
import { atStores, CannotDo, print, remark, type Printing } from './toolbox.js';
import { command, group, limitOption } from './usage.js';

const SHOWN_JOBS = 100;
const STATUSES: readonly JobStatus[] = ['waiting', 'running', 'parked'];

interface List extends Printing {
  readonly queue?: string;
  readonly status?: JobStatus;
  readonly limit: number;
}

export function jobsCommand(): Command {
  return group('jobs', 'list, show, retry and cancel scheduled work, such as delivery attempts', 'jobs list --status parked', [
    command('list', 'list jobs, the earliest due time first', 'jobs list --queue deliveries --status parked')
      .option('--queue <queue>', 'only jobs of this queue')
      .addOption(new Option('--status <status>', 'only jobs in this status').choices(STATUSES))
      .addOption(limitOption('maximum number of jobs', SHOWN_JOBS))
      .action(listJobs),
    ofOneJob('show', 'show one job with its data and last error', showJob),
    ofOneJob('retry', 'run a waiting or parked job now and reset its failures', retryJob),
    ofOneJob('cancel', 'delete a job', cancelJob),
  ]);
}

function ofOneJob(name: string, description: string, action: (key: string, printing: Printing) => Promise<void>): Command {
  return command(name, description, `jobs ${name} settle:pay_01h00000000000000000000000`)
    .argument('<key>', 'key of the job')
    .action(action);
}

async function listJobs({ queue, status, limit, json }: List): Promise<void> {
  await atStores(async ({ jobs }) => {
    const found = await jobs.list({ ...(queue !== undefined && { queue }), ...(status !== undefined && { status }), limit });
    print({ jobs: found.map(documentOf) }, { json }, linesOf(found));
    if (found.length === 0 && queue !== undefined) remark(await whatIsThere(queue, jobs));
    if (found.length === limit) remark(`only the first ${limit} are shown; --limit shows more`);
  });
}

async function showJob(key: string, { json }: Printing): Promise<void> {
  const job = await atStores(({ jobs }) => known(jobs, key));
  const { data, ...rest } = documentOf(job);
  print({ job: documentOf(job) }, { json }, [...fields(rest), readable(data)]);
}

async function retryJob(key: string, { json }: Printing): Promise<void> {
  const job = await atStores(async ({ jobs }) => {
    await known(jobs, key);
    if (!(await jobs.release(key, new Date().toISOString()))) throw await busy(jobs, key);
    return known(jobs, key);
  });
  print({ job: documentOf(job) }, { json }, [`${key} is due`]);
}

async function cancelJob(key: string, { json }: Printing): Promise<void> {
  const job = await atStores(async ({ jobs }) => {
    const found = await known(jobs, key);
    if (!(await jobs.cancel(key))) throw await busy(jobs, key);
    return found;
  });
  print({ job: documentOf(job) }, { json }, [`${key} is cancelled`]);
}

async function known(jobs: Jobs, key: string): Promise<JobEntry> {
  const job = await jobs.find(key);
  if (job === null) throw new CannotDo(`there is no job ${key}; "jobs list" shows the existing ones`);
  return job;
}

async function busy(jobs: Jobs, key: string): Promise<CannotDo> {
  const { holder, lease } = await known(jobs, key);
  return new CannotDo(`${key} is running: ${holder ?? 'a process'} holds its lease until ${lease ?? 'a moment ago'}`);
}

async function whatIsThere(queue: string, jobs: Jobs): Promise<string> {
  const others = (await jobs.sizes()).map((size) => size.queue);
  return `no matching job in ${queue}; queues with jobs: ${others.join(', ') || 'none'}`;
}

function documentOf({ key, id, queue, status, due, attempt, failures, holder, lease, error, data }: JobEntry) {
  return { key, id, queue, status, due, attempts: attempt, failures, holder, lease_until: lease, error, data };
}

function linesOf(jobs: readonly JobEntry[]): string[] {
  const heads = ['key', 'queue', 'status', 'due', 'attempts', 'failures', 'error'];
  return table(
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
