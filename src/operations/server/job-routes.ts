import { createChoiceParser, integerBetween } from '../../config/settings.js';
import { JOB_STATUSES } from '../../kernel/jobs.js';
import type { JobOperator } from '../operators/job-operator.js';
import { readQuery, textUpTo } from './read-input.js';
import type { OpsRoute } from './route.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
const QUEUE_LENGTH = 200;

export function createJobRoutes(jobs: JobOperator): OpsRoute[] {
  return [
    { method: 'GET', path: '/ops/jobs', handle: async ({ input }) => ({ jobs: await jobs.list(readOptions(input)) }) },
    { method: 'GET', path: '/ops/jobs/:key', handle: async ({ params }) => ({ job: await jobs.get(params.key!) }) },
    {
      method: 'POST',
      path: '/ops/jobs/:key/retry',
      handle: async ({ params }) => ({ job: await jobs.retry(params.key!) }),
    },
    {
      method: 'POST',
      path: '/ops/jobs/:key/cancel',
      handle: async ({ params }) => ({ job: await jobs.cancel(params.key!) }),
    },
  ];
}

function readOptions(input: Parameters<typeof readQuery>[0]) {
  const parsers = {
    queue: textUpTo(QUEUE_LENGTH),
    status: createChoiceParser(...JOB_STATUSES),
    limit: integerBetween(1, MAX_LIMIT),
  };
  return { limit: DEFAULT_LIMIT, ...readQuery(input, parsers) };
}
