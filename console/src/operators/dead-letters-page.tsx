import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Item } from '../api/api';
import { toText } from '../components/format';
import { Time } from '../components/time';
import { ActionButton } from '../resources/action-button';
import type { Action } from '../resources/resource';
import { OperationsList } from './operations-list';

const RETRY: Action = { label: 'Retry', method: 'POST', path: '/ops/dead-letters/{id}/retry', fields: [] };
const SKIP: Action = {
  label: 'Skip',
  method: 'POST',
  path: '/ops/dead-letters/{id}/skip',
  fields: [{ name: 'reason', label: 'Reason', kind: 'long_text', required: true, help: 'It is recorded.' }],
  destroys: ({ type }) => ({ effect: 'The document stays without this event, in every build.', name: toText(type) }),
};
const FILTERS = [{ name: 'projection', label: 'Projection' }];

/** Events that a projection could not fold, with their errors and the number of later events that wait for them. */
export function DeadLettersPage() {
  return (
    <OperationsList
      title="Dead letters"
      path="/ops/dead-letters"
      field="dead_letters"
      itemKey="id"
      filters={FILTERS}
      whenEmpty="There are no dead letters."
      columns={['Since', 'Build', 'Document', 'Event', 'Error', 'Actions']}
      toCells={toCells}
    />
  );
}

function toCells(letter: Item): readonly ReactNode[] {
  return [
    <Time key="time" value={toText(letter['created_at'])} />,
    toText(letter['projection']),
    toText(letter['document'] ?? letter['stream']),
    describeEvents(letter),
    <span key="error" className="break">
      {toText(letter['error'])}
    </span>,
    <Group key="actions" gap="xs">
      <ActionButton action={RETRY} item={letter} ids={{ id: toText(letter['id']) }} />
      {letter['blocking'] === true && <ActionButton action={SKIP} item={letter} ids={{ id: toText(letter['id']) }} />}
    </Group>,
  ];
}

function describeEvents({ type, stream, revision, events }: Item): string {
  const failed = `${toText(type)} at ${toText(stream)}, revision ${toText(revision)}`;
  return events === 1 ? failed : `${failed}, and ${Number(events) - 1} later events`;
}
