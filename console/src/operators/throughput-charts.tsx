import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { send } from '../api/api';
import { LineChart } from '../components/line-chart';

interface Sample {
  /** Seconds since 1970. */
  readonly time: number;
  readonly lag: number;
  readonly appended: number;
}

const REFRESH_MS = 5_000;
/** One hour of samples. */
const SAMPLES_MAX = 720;

/** Lag and throughput from the metrics, over the time that this page has been open, at most an hour. */
export function ThroughputCharts() {
  const samples = useRef<readonly Sample[]>([]);
  const metrics = useQuery({
    queryKey: ['metrics'],
    queryFn: async ({ signal }) => {
      const text = await send('GET', '/metrics', { signal }).then((response) => response.text());
      samples.current = [...samples.current, toSample(text)].slice(-SAMPLES_MAX);
      return samples.current;
    },
    refetchInterval: REFRESH_MS,
  });
  const data = metrics.data ?? [];
  const times = useMemo(() => data.map(({ time }) => time), [data]);
  const lag = useMemo(() => [{ label: 'Seconds', values: data.map((sample) => sample.lag) }], [data]);
  const rate = useMemo(
    () => [{ label: 'Events a second', values: data.map((sample, i) => ratePerSecond(data[i - 1], sample)) }],
    [data],
  );
  if (data.length < 2)
    return <Text size="sm">The charts of lag and throughput start when the page has been open for some seconds.</Text>;
  return (
    <>
      <Title order={2} size="h4">
        Lag and throughput since this page was opened
      </Title>
      <div className="side-by-side">
        <LineChart title="Largest lag of a projection" times={times} lines={lag} />
        <LineChart title="Recorded events" times={times} lines={rate} />
      </div>
    </>
  );
}

function toSample(text: string): Sample {
  return {
    time: Date.now() / 1000,
    lag: Math.max(0, ...valuesOf(text, 'projection_lag_seconds')),
    appended: valuesOf(text, 'events_appended_total').reduce((sum, value) => sum + value, 0),
  };
}

/** The values of a metric in the text format of Prometheus, one for each set of labels. */
function valuesOf(text: string, name: string): number[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)))
    .filter((value) => !Number.isNaN(value));
}

function ratePerSecond(before: Sample | undefined, { time, appended }: Sample): number | null {
  if (before === undefined || time <= before.time || appended < before.appended) return null;
  return Math.round(((appended - before.appended) / (time - before.time)) * 10) / 10;
}
