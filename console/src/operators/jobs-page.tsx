import { Group, Loader, Stack, Text, Title } from '@mantine/core';
import type { Item } from '../api/api';
import { DataTable } from '../components/data-table';
import { toText } from '../components/format';
import { ProblemAlert } from '../components/problem-alert';
import { StatusBadge } from '../components/status-badge';
import { Time } from '../components/time';
import { ActionButton } from '../resources/action-button';
import { Filters } from '../resources/filters';
import type { Action } from '../resources/resource';
import { useQueryString } from '../resources/use-search';
import { useOperations } from './use-operations';

const RETRY: Action = { label: 'Retry', method: 'POST', path: '/ops/jobs/{id}/retry', fields: [] };
const CANCEL: Action = {
  label: 'Cancel job',
  method: 'POST',
  path: '/ops/jobs/{id}/cancel',
  fields: [],
  destroys: ({ id }) => ({ effect: 'The work of this job is not done.', name: toText(id) }),
};
const FILTERS = [
  { name: 'status', label: 'Status', options: ['waiting', 'running', 'parked'] },
  { name: 'queue', label: 'Queue' },
];

/** Jobs that are due, wait for their time, run, or are parked after failures. */
export function JobsPage() {
  const [query, change] = useQueryString();
  const { status, queue } = query;
  const list = useOperations<{ jobs: readonly Item[] }>('/ops/jobs', { status, queue });
  return (
    <Stack>
      <Title order={1} size="h3">
        Jobs
      </Title>
      <Filters filters={FILTERS} query={query} change={change} />
      {list.isPending && <Loader aria-label="Loading" />}
      {list.isError && <ProblemAlert error={list.error} />}
      {list.data?.jobs.length === 0 && <Text>There are no such jobs.</Text>}
      {list.data !== undefined && list.data.jobs.length > 0 && (
        <DataTable
          label="Jobs"
          columns={['Job', 'Queue', 'Status', 'Due', 'Failures', 'Error', 'Actions']}
          rows={list.data.jobs.map((job) => ({
            key: toText(job['key']),
            cells: [
              <span key="id" className="break">
                {toText(job['id'])}
              </span>,
              toText(job['queue']),
              <StatusBadge key="status" status={toText(job['status'])} />,
              <Time key="due" value={toText(job['due'])} />,
              toText(job['failures']),
              <span key="error" className="break">
                {toText(job['error'])}
              </span>,
              <Group key="actions" gap="xs">
                <ActionButton action={RETRY} item={job} ids={{ id: toText(job['key']) }} />
                <ActionButton action={CANCEL} item={job} ids={{ id: toText(job['key']) }} />
              </Group>,
            ],
          }))}
        />
      )}
    </Stack>
  );
}
