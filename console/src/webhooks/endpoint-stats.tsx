import { Loader, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call, type Item } from '../api/api';
import { toText } from '../components/format';
import { LineChart } from '../components/line-chart';
import { ProblemAlert } from '../components/problem-alert';
import { Fields } from '../resources/field-value';

const HOUR_MS = 3_600_000;
const SPANS = { '1h': 1, '24h': 24, '7d': 24 * 7 } as const;
const LABELS = [
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
];

type Span = keyof typeof SPANS;

/** Success rate, latency and backlog of an endpoint. */
export function EndpointStats({ id }: { readonly id: string }) {
  const [span, setSpan] = useState<Span>('24h');
  return (
    <Stack>
      <SegmentedControl
        aria-label="Time span"
        data={LABELS}
        value={span}
        onChange={(value) => setSpan(value as Span)}
        w="fit-content"
      />
      <Totals id={id} span={span} />
      <Charts id={id} span={span} />
    </Stack>
  );
}

interface Hours {
  readonly hours: readonly Item[];
}

const NONE: readonly Item[] = [];

interface SpanProps {
  readonly id: string;
  readonly span: Span;
}

function Totals({ id, span }: SpanProps) {
  const path = `/v1/webhooks/endpoints/${encodeURIComponent(id)}/stats`;
  const stats = useQuery({
    queryKey: ['stats', path, span],
    queryFn: ({ signal }) => call<Item>('GET', path, { query: { since: startOf(span) }, signal }),
  });
  if (stats.isPending) return <Loader aria-label="Loading" />;
  if (stats.isError) return <ProblemAlert error={stats.error} />;
  const { attempts, successes } = stats.data as { attempts: number; successes: number };
  return (
    <>
      <Text fw={600}>
        {attempts === 0
          ? 'Nothing was sent in this time.'
          : `${formatPercent(successes / attempts)} of ${attempts} attempts succeeded.`}
      </Text>
      <Fields item={stats.data} />
    </>
  );
}

function Charts({ id, span }: SpanProps) {
  const path = `/v1/webhooks/endpoints/${encodeURIComponent(id)}/hourly-stats`;
  const hours = useQuery({
    queryKey: ['hourly-stats', path, span],
    queryFn: ({ signal }) => call<Hours>('GET', path, { query: { since: startOf(span) }, signal }),
  });
  const data = hours.data?.hours ?? NONE;
  const times = useMemo(() => data.map((hour) => Date.parse(toText(hour['hour'])) / 1000), [data]);
  const rate = useMemo(() => [{ label: 'Percent', values: data.map(successPercent) }], [data]);
  const latency = useMemo(
    () => [
      { label: 'p50', values: data.map((hour) => percentile(hour, 'p50')) },
      { label: 'p95', values: data.map((hour) => percentile(hour, 'p95')) },
    ],
    [data],
  );
  if (hours.isError) return <ProblemAlert error={hours.error} />;
  if (data.length === 0) return null;
  return (
    <div className="side-by-side">
      <LineChart title="Success rate, percent" times={times} lines={rate} />
      <LineChart title="Latency, milliseconds" times={times} lines={latency} />
    </div>
  );
}

function startOf(span: Span): string {
  return new Date(Date.now() - SPANS[span] * HOUR_MS).toISOString();
}

function successPercent({ attempts, successes }: Item): number | null {
  return Number(attempts) === 0 ? null : Math.round((Number(successes) / Number(attempts)) * 1000) / 10;
}

function percentile(hour: Item, name: 'p50' | 'p95'): number | null {
  return ((hour['duration_ms'] as Item | undefined)?.[name] ?? null) as number | null;
}

function formatPercent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
