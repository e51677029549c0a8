import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Item } from '../api/api';
import { toText } from '../components/format';
import { StatusBadge } from '../components/status-badge';
import { Time } from '../components/time';
import { ActionButton } from '../resources/action-button';
import type { Action } from '../resources/resource';
import { OperationsList } from './operations-list';

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
  return (
    <OperationsList
      title="Jobs"
      path="/ops/jobs"
      field="jobs"
      itemKey="key"
      filters={FILTERS}
      whenEmpty="There are no such jobs."
      columns={['Job', 'Queue', 'Status', 'Due', 'Failures', 'Error', 'Actions']}
      toCells={toCells}
    />
  );
}

function toCells(job: Item): readonly ReactNode[] {
  return [
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
  ];
}
