import { Group, Loader, Stack, Text, Title } from '@mantine/core';
import type { Item } from '../api/api';
import { DataTable } from '../components/data-table';
import { toText } from '../components/format';
import { ProblemAlert } from '../components/problem-alert';
import { Time } from '../components/time';
import { ActionButton } from '../resources/action-button';
import { Filters } from '../resources/filters';
import type { Action } from '../resources/resource';
import { useQueryString } from '../resources/use-search';
import { useOperations } from './use-operations';

const RETRY: Action = { label: 'Retry', method: 'POST', path: '/ops/dead-letters/{id}/retry', fields: [] };
const SKIP: Action = {
  label: 'Skip',
  method: 'POST',
  path: '/ops/dead-letters/{id}/skip',
  fields: [{ name: 'reason', label: 'Reason', kind: 'long_text', required: true, help: 'It is recorded.' }],
  destroys: ({ type }) => ({ effect: 'The document stays without this event, in every build.', name: toText(type) }),
};
const FILTERS = [{ name: 'projection', label: 'Projection' }];

/** Events that a projection could not fold, with their errors. */
export function DeadLettersPage() {
  const [query, change] = useQueryString();
  const { projection } = query;
  const list = useOperations<{ dead_letters: readonly Item[] }>('/ops/dead-letters', { projection });
  return (
    <Stack>
      <Title order={1} size="h3">
        Dead letters
      </Title>
      <Filters filters={FILTERS} query={query} change={change} />
      {list.isPending && <Loader aria-label="Loading" />}
      {list.isError && <ProblemAlert error={list.error} />}
      {list.data?.dead_letters.length === 0 && <Text>There are no dead letters.</Text>}
      {list.data !== undefined && list.data.dead_letters.length > 0 && (
        <DataTable
          label="Dead letters"
          columns={['Since', 'Build', 'Document', 'Event', 'Error', 'Actions']}
          rows={list.data.dead_letters.map((letter) => ({
            key: toText(letter['id']),
            cells: [
              <Time key="time" value={toText(letter['created_at'])} />,
              toText(letter['projection']),
              toText(letter['document'] ?? letter['stream']),
              `${toText(letter['type'])} at ${toText(letter['stream'])}, revision ${toText(letter['revision'])}`,
              <span key="error" className="break">
                {toText(letter['error'])}
              </span>,
              <Group key="actions" gap="xs">
                <ActionButton action={RETRY} item={letter} ids={{ id: toText(letter['id']) }} />
                <ActionButton action={SKIP} item={letter} ids={{ id: toText(letter['id']) }} />
              </Group>,
            ],
          }))}
        />
      )}
    </Stack>
  );
}
