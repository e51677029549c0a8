import { Loader, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { send } from '../api/api';
import { DataTable } from '../components/data-table';
import { toLabel } from '../components/format';
import { ProblemAlert } from '../components/problem-alert';
import { StatusBadge } from '../components/status-badge';
import { ThroughputCharts } from './throughput-charts';

interface Readiness {
  readonly status: 'green' | 'red';
  readonly parts: Readonly<Record<string, { readonly status: 'green' | 'red'; readonly detail: string }>>;
}

/** Readiness part by part, and what the process has done since this page was opened. */
export function HealthPage() {
  const readiness = useQuery({
    queryKey: ['readiness'],
    // A red service responds with 503 with the same document.
    queryFn: ({ signal }) =>
      send('GET', '/health/ready', { signal }).then((response) => response.json() as Promise<Readiness>),
    refetchInterval: 2_000,
  });
  return (
    <Stack>
      <Title order={1} size="h3">
        Health
      </Title>
      {readiness.isPending && <Loader aria-label="Loading" />}
      {readiness.isError && <ProblemAlert error={readiness.error} />}
      {readiness.data !== undefined && (
        <DataTable
          label="Readiness"
          columns={['Part', 'Status', 'Detail']}
          rows={Object.entries(readiness.data.parts).map(([name, { status, detail }]) => ({
            key: name,
            cells: [
              toLabel(name),
              <StatusBadge key="status" status={status} />,
              <span key="detail" className="break">
                {detail}
              </span>,
            ],
          }))}
        />
      )}
      <ThroughputCharts />
    </Stack>
  );
}
