import { Progress, Stack, Text } from '@mantine/core';
import type { Item } from '../api/api';
import { toText } from '../components/format';
import { id, status, text, time } from '../resources/columns';
import { Fields } from '../resources/field-value';
import type { Field, Resource } from '../resources/resource';
import { deliveryColumns, deliveryFilters } from './deliveries';

const WINDOW: readonly Field[] = [
  {
    name: 'scope',
    label: 'Which events',
    kind: 'choice',
    options: ['failed', 'succeeded', 'all', 'never_planned'],
    start: () => 'failed',
    help: 'failed: not received; succeeded: received, sent again; all: both; never_planned: those that the endpoint never got, because it did not exist, was disabled or had no subscription.',
  },
  { name: 'created_from', label: 'Events from', kind: 'time', required: true },
  { name: 'created_to', label: 'Events to', kind: 'time', help: 'Empty: until now.' },
  { name: 'endpoint_id', label: 'Endpoint id', help: 'Empty: all endpoints. The scope never_planned needs one.' },
  { name: 'event_types', label: 'Event types, one per line', kind: 'texts', help: 'Empty: all event types.' },
  {
    name: 'statuses',
    label: 'Statuses',
    kind: 'several',
    options: ['failed', 'abandoned'],
    help: 'Only for the scope failed.',
  },
  { name: 'include_missed', label: 'Also events that the endpoint missed while it was disabled', kind: 'boolean' },
];

export const replayJobs: Resource = {
  name: 'replay-jobs',
  title: 'Replay jobs',
  listPath: '/v1/webhooks/replay-jobs',
  itemPath: '/v1/webhooks/replay-jobs/{id}',
  pagination: 'cursor',
  refreshMs: 2_000,
  columns: [
    id(),
    status(),
    text('scope'),
    text('matched', 'Matched'),
    text('succeeded'),
    text('failed'),
    text('skipped'),
    time(),
  ],
  creations: [
    {
      label: 'Count first',
      method: 'POST',
      path: '/v1/webhooks/replay-jobs',
      fields: [...WINDOW, { name: 'dry_run', label: 'Count only; send nothing', kind: 'boolean', start: () => true }],
      showResponse: (job) => (
        <Stack>
          <Text fw={600}>{toText(job['matched'])} deliveries fit.</Text>
          <Fields item={job} />
        </Stack>
      ),
    },
    { label: 'New replay job', method: 'POST', path: '/v1/webhooks/replay-jobs', fields: WINDOW },
  ],
  actions: [
    {
      label: 'Cancel job',
      method: 'POST',
      path: '/v1/webhooks/replay-jobs/{id}/cancel',
      isShown: ({ status: current }) => current === 'pending' || current === 'running',
      destroys: ({ id: jobId }) => ({
        effect: 'What has been sent stays sent; the rest is not sent.',
        name: toText(jobId),
      }),
    },
  ],
  tabs: [{ name: 'progress', title: 'Progress', show: (job) => <JobProgress job={job} /> }],
  children: [
    {
      name: 'deliveries',
      title: 'Deliveries',
      listPath: '/v1/webhooks/deliveries',
      itemPath: '/v1/webhooks/deliveries/{id}',
      parentFilter: 'replay_job_id',
      pagination: 'cursor',
      columns: deliveryColumns,
      filters: deliveryFilters,
      whenEmpty: 'This job has sent nothing yet.',
    },
  ],
  whenEmpty:
    'A replay job sends the events of a time window: those that failed, those that succeeded, or those that an endpoint never got.',
};

function JobProgress({ job }: { readonly job: Item }) {
  const [matched, done] = [Number(job['matched'] ?? 0), Number(job['redelivered']) + Number(job['skipped'])];
  const percent = matched === 0 ? 0 : Math.min(100, Math.round((done / matched) * 100));
  return (
    <Stack>
      <Text role="status">
        {done} of {job['matched'] === null ? 'a number that is still being counted' : matched}:{' '}
        {toText(job['succeeded'])} succeeded, {toText(job['failed'])} failed, {toText(job['skipped'])} skipped
      </Text>
      <Progress value={percent} aria-label="Progress of the job" />
      <Fields item={job['skipped_reasons'] as Item} />
    </Stack>
  );
}
