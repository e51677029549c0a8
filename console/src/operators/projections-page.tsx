import { Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { DataTable } from '../components/data-table';
import { JsonView } from '../components/json-view';
import { ProblemAlert } from '../components/problem-alert';
import { ActionButton } from '../resources/action-button';
import type { Action } from '../resources/resource';
import { useSession } from '../session/session';
import { RebuildProgress } from './rebuild-progress';
import { useOperations } from './use-operations';

interface Build {
  readonly name: string;
  readonly documents: number;
}

interface Projection {
  readonly name: string;
  readonly current: boolean;
  readonly active: string | null;
  readonly previous: string | null;
  readonly paused: boolean;
  readonly builds: readonly Build[];
}

const PATH = '/ops/projections/{id}';

const ACTIONS: readonly Action[] = [
  { label: 'Rebuild', method: 'POST', path: `${PATH}/rebuild`, fields: [] },
  {
    label: 'Roll back',
    method: 'POST',
    path: `${PATH}/rollback`,
    fields: [],
    isShown: ({ previous }) => previous !== null,
    destroys: ({ name, previous }) => ({ effect: `Reads use ${String(previous)} again.`, name: String(name) }),
  },
  { label: 'Pause', method: 'POST', path: `${PATH}/pause`, fields: [], isShown: ({ paused }) => paused === false },
  { label: 'Resume', method: 'POST', path: `${PATH}/resume`, fields: [], isShown: ({ paused }) => paused === true },
];

const VERIFY: Action = {
  label: 'Verify',
  method: 'POST',
  path: `${PATH}/verify`,
  showResponse: (response) => <JsonView value={response} label="Verification" />,
  fields: [{ name: 'sample', label: 'Documents to compare', kind: 'integer', start: () => 1000 }],
};

/** The builds of each projection, and what an operator can do with them. */
export function ProjectionsPage() {
  const list = useOperations<{ projections: readonly Projection[] }>('/ops/projections');
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <Stack>
      <Title order={1} size="h3">
        Projections
      </Title>
      <Text>
        A rebuild makes a new build beside the active one. Reads go on; the switch is one step, with a way back.
      </Text>
      {list.isPending && <Loader aria-label="Loading" />}
      {list.isError && <ProblemAlert error={list.error} />}
      {list.data !== undefined && (
        <DataTable
          label="Projections"
          columns={['Projection', 'Active build', 'Builds', 'Rebuild', 'Actions']}
          rows={list.data.projections.map((projection) => ({
            key: projection.name,
            cells: [
              projection.paused ? `${projection.name} (paused)` : projection.name,
              projection.active ?? '–',
              projection.builds.map(({ name, documents }) => `${name}: ${documents} documents`).join(', '),
              <RebuildProgress key="progress" name={projection.name} isWatched={opened === projection.name} />,
              <Actions key="actions" projection={projection} watch={() => setOpened(projection.name)} />,
            ],
          }))}
        />
      )}
    </Stack>
  );
}

function Actions({ projection, watch }: { readonly projection: Projection; readonly watch: () => void }) {
  const session = useSession();
  const item = { ...projection };
  const ids = { id: projection.name };
  return (
    <Group gap="xs" onClick={watch}>
      {ACTIONS.filter(({ isShown }) => session !== null && (isShown?.(item, session) ?? true)).map((action) => (
        <ActionButton key={action.label} action={action} item={item} ids={ids} />
      ))}
      <ActionButton action={VERIFY} item={item} ids={ids} />
    </Group>
  );
}
